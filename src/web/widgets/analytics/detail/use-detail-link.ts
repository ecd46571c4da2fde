import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { type Detail, detailLink } from './detail-link.ts'

/** Links that open a panel over the current screen. */
export function useDetailLink(): (detail: Detail) => string {
  const [params] = useSearchParams()
  return useCallback((detail) => detailLink(detail, params), [params])
}
