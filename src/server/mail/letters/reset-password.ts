import { action, type Draft, inlineLink, layout, paragraph, remark, strong, theAccount } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function resetPassword(letter: LetterOf<'reset-password'>, baseUrl: string): Draft {
  const { username, link, others, isConfirmed } = letter
  const isOne = others.length === 0
  return {
    subject: 'Reset your password',
    mail: layout(
      {
        preview: isOne ? 'The link works once, within 1 hour.' : 'Each link works once, within 1 hour.',
        headline: 'Reset your password',
        reason: "You're receiving this email because a Ranklark account uses this address.",
        baseUrl,
      },
      isOne
        ? paragraph('Someone asked to reset the password for ', ...theAccount(username), '. If this was you, choose a new one.')
        : paragraph(
            'Someone asked to reset a password, and several Ranklark accounts use this address. If this was you, choose your account:',
          ),
      ...(isOne ? [] : [{ username, link }, ...others].map((each) => claimant(each))),
      ...(isConfirmed ? [] : [paragraph(isOne ? ofOne : ofSeveral)]),
      ...(isOne ? [action('Choose a new password', link)] : []),
      remark(
        isOne
          ? 'The link works once, within 1 hour. Not you? Ignore this email, and your password will stay the same.'
          : 'Each link works once, within 1 hour. Not you? Ignore this email, and all passwords will stay the same.',
      ),
    ),
  }
}

const claimant = ({ username, link }: { username: string | null; link: string }) =>
  paragraph(username === null ? 'An account with a misleading name' : strong(username), ': ', inlineLink('choose a new password', link))

const ofOne =
  'This address was never confirmed, so someone else may have set up the account. Setting a new password removes its Google accounts, API keys, alert destinations, shared links, scheduled reports and two-factor authentication.'
const ofSeveral =
  "This address was never confirmed, so someone else may have set up the accounts. Setting a new password removes that account's Google accounts, API keys, alert destinations, shared links, scheduled reports and two-factor authentication."
