import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from 'react-router'
import { sessionQuery } from '../api/session.ts'
import { returnState } from '../lib/addresses.ts'
import { paths } from '../paths.ts'
import { CurrentUser } from './current-user.ts'
import { LoadingScreen } from './LoadingScreen.tsx'

/** Sends visitors to log in, and back to the screen they wanted. */
export function RequireSession() {
  const { data: session } = useQuery(sessionQuery)
  const location = useLocation()
  if (session === undefined) return <LoadingScreen />
  if (!session.authenticated || session.user === null) {
    return <Navigate to={paths.login} replace state={returnState(location)} />
  }
  return (
    // The next person to log in must not see what this one entered or opened.
    <CurrentUser key={session.user.id} value={session.user}>
      <Outlet />
    </CurrentUser>
  )
}
