import type { ProfileForm, UserPatch } from '../../../contract/account/profile.ts'
import type { User } from '../../../contract/user.ts'

/** What to send from the form. Includes the property only if it changed: choosing it again would be a separate choice. */
export function profileChange(user: User, { username, email, selectedProperty }: ProfileForm): UserPatch {
  const names = { username, email }
  return selectedProperty === undefined || selectedProperty === user.selectedProperty ? names : { ...names, selectedProperty }
}
