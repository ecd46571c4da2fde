import { useCurrentUser } from '../../shell/current-user.ts'

/** Tells password managers whose password a form is about. */
export function HiddenUsername() {
  const { username } = useCurrentUser()
  return <input hidden readOnly type="text" name="username" autoComplete="username" value={username} />
}
