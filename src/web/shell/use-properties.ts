import { useQuery } from '@tanstack/react-query'
import type { Property } from '../../contract/user.ts'
import { gscPropertiesQuery } from '../api/gsc-properties.ts'
import { useCurrentUser } from './current-user.ts'

/** The person's properties: those the server keeps with them, or else asked of Google once they are connected. */
export function useProperties(): readonly Property[] {
  const user = useCurrentUser()
  const { data } = useQuery({ ...gscPropertiesQuery, enabled: user.accessToken !== null && user.gscProperties === null })
  return user.gscProperties ?? data ?? []
}
