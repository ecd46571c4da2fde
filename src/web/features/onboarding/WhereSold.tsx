import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { sessionQuery } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'

/** Around the steps of a purchase: an installation that sells nothing goes straight to the sites. */
export function WhereSold({ children }: { children: ReactNode }) {
  const { data: session } = useQuery(sessionQuery)
  const { search } = useLocation()
  if (session === undefined) return <LoadingScreen />
  return session.billing === 'off' ? <Navigate to={{ pathname: paths.selectSites, search }} replace /> : children
}
