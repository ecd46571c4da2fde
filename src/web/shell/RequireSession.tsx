import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from 'react-router'
import { sessionQuery } from '../api/session.ts'
import { returnState } from '../lib/addresses.ts'
import { paths } from '../paths.ts'
import { CurrentUser } from './current-user.ts'
import { LoadingScreen } from './LoadingScreen.tsx'

/** Lets signed-in people through; others log in first and come back to where they wanted to go. */
export function RequireSession() {
  const { data: session } = useQuery(sessionQuery)
  const location = useLocation()
  if (session === undefined) return <LoadingScreen />
  if (!session.authenticated || session.user === null) {
    return <Navigate to={paths.login} replace state={returnState(location)} />
  }
  return (
    // What one person has typed and opened is not the next one's.
    <CurrentUser key={session.user.id} value={session.user}>
      <Outlet />
    </CurrentUser>
  )
}
