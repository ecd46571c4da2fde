import type { ProfileForm, UserPatch } from '../../../contract/account.ts'
import type { User } from '../../../contract/user.ts'

/** What to send of the form. The property only when it is another one: choosing it again would be a choice of its own. */
export function profileChange(user: User, { username, email, selectedProperty }: ProfileForm): UserPatch {
  const names = { username, email }
  return selectedProperty === undefined || selectedProperty === user.selectedProperty ? names : { ...names, selectedProperty }
}
