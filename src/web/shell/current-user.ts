import { createContext, useContext } from 'react'
import type { User } from '../../contract/user.ts'

/** RequireSession provides it to every screen behind the login; within the shell its selected property is the shown one. */
export const CurrentUser = createContext<User | null>(null)

/** @throws outside of the screens behind the login */
export function useCurrentUser(): User {
  const user = useContext(CurrentUser)
  if (user === null) throw new Error('useCurrentUser must be used inside RequireSession')
  return user
}

/** Shows another property in this tab; outside of the shell there is nowhere to show it. */
export const ShowProperty = createContext<(name: string) => void>(() => {})
