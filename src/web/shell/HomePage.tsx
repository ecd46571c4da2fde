import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { sessionQuery } from '../api/session.ts'
import { paths } from '../paths.ts'
import { LoadingScreen } from './LoadingScreen.tsx'

/** Sends people on to where they can do something. */
export function HomePage() {
  const { data: session } = useQuery(sessionQuery)
  if (session === undefined) return <LoadingScreen />
  return <Navigate to={session.authenticated ? paths.dashboard : paths.login} replace />
}
