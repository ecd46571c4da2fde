import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function addressChanged({ username, newAddress }: LetterOf<'address-changed'>, baseUrl: string): Draft {
  return {
    subject: 'Your e-mail address was changed',
    mail: layout(
      {
        preview: 'From now on we write to another address.',
        headline: 'Your e-mail address was changed',
        reason: 'You get this mail because this was the address of a Ranklark account until now.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' now names ', strong(newAddress), ' instead of this address.'),
      paragraph('If it was you, there is nothing to do. If it was not, log in, change the password and put your address back.'),
      action('Open your profile', `${baseUrl}/account`),
    ),
  }
}
