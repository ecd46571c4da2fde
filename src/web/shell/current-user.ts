import { createContext, useContext } from 'react'
import type { User } from '../../contract/user.ts'

/** Given by RequireSession to every screen for signed-in people. */
export const CurrentUser = createContext<User | null>(null)

/** @throws outside the screens for signed-in people */
export function useCurrentUser(): User {
  const user = useContext(CurrentUser)
  if (user === null) throw new Error('useCurrentUser must be used inside RequireSession')
  return user
}
