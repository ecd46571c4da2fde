import { action, draft, type Draft, footerLink, inlineLink, paragraph, remark, strong, theAccount } from '../layout.ts'
import type { EmailOf } from '../email.ts'

export function confirmAddress({ username, link }: EmailOf<'confirm-address'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Confirm your email address',
      preview: 'The link works once and expires in 24 hours.',
      reason: "You're receiving this email because someone used this address for a Ranklark account.",
      baseUrl,
    },
    paragraph(...theAccount(username, 'The'), " uses this email address. If that's your account, confirm the address."),
    action('Confirm address', link),
    remark('The link works once and expires in 24 hours. Not you? Ignore this email.'),
  )
}

export function confirmDeliveryAddress({ username, link, never }: EmailOf<'confirm-delivery-address'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Confirm this address for alerts',
      headline: 'Send alerts to this address?',
      preview: 'The link works for 7 days. Nothing will be sent until you confirm.',
      reason: "You're receiving this email because someone asked to send a Ranklark account's alerts to this address.",
      baseUrl,
      // One that an earlier release queued has none.
      footer: never === undefined ? [] : [["Don't want to be asked again? ", footerLink('Block requests from this account', never)]],
    },
    paragraph('The owner of ', ...theAccount(username), ' wants to send its alerts and digests here. Confirm this address if you agree.'),
    action('Confirm address', link),
    remark("The link works for 7 days. Don't know this account? Ignore this email, and no alerts will be sent here."),
  )
}

export function confirmReportRecipient({ username, link, never }: EmailOf<'confirm-report-recipient'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Get search reports at this address?',
      preview: 'The link works for 7 days. No reports will be sent until you confirm.',
      reason: "You're receiving this email because someone added this address as a recipient of a Ranklark account's reports.",
      baseUrl,
      footer: [["Don't want to be asked again? ", footerLink('Block reports from this account', never)]],
    },
    paragraph('The owner of ', ...theAccount(username), " wants to email you reports on a site's performance in Google Search."),
    action('Get these reports', link),
    remark("The link works for 7 days. Don't know this account? Ignore this email, and no reports will be sent here."),
  )
}

export function addressTaken({ username }: EmailOf<'address-taken'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'You already have a Ranklark account',
      headline: 'Someone tried to use your email address',
      preview: 'Your address stays with your account.',
      reason: "You're receiving this email because this address belongs to a Ranklark account.",
      baseUrl,
    },
    paragraph(
      'The owner of another account tried to use this address. It belongs to your account ',
      strong(username),
      ' and will stay there.',
    ),
    paragraph(
      'If that was you, log in as ',
      strong(username),
      '. Forgot your password? You can ',
      inlineLink('reset it', `${baseUrl}/forgot-password`),
      '.',
    ),
    action('Log in', `${baseUrl}/login`),
    remark("If it wasn't you, no action is needed. The other account can't see any of your data."),
  )
}

export function addressChanged({ username, newAddress, link }: EmailOf<'address-changed'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Your email address is being changed',
      preview: link === null ? "What to do if this wasn't you." : "If this wasn't you, undo it with the link in this email.",
      reason: "You're receiving this email because this address belongs to a Ranklark account.",
      baseUrl,
    },
    paragraph(
      'The Ranklark account ',
      strong(username),
      ' will use ',
      strong(newAddress),
      ' instead of this address once the new address is confirmed.',
    ),
    ...(link === null
      ? [
          paragraph(
            "If this was you, no action is needed. This address was added to the account less than 7 days ago, so it can't be used to undo the change. If it wasn't you, use the link in the email that was sent to the account's previous address.",
          ),
          action('Open your profile', `${baseUrl}/account`),
        ]
      : [
          paragraph(
            "If this was you, no action is needed. If it wasn't, undo the change: your account will keep this address, and everyone will be logged out.",
          ),
          action('Undo the change', link),
          remark(
            "The link works once, even after the new address is confirmed, and expires in 7 days. After you use it, you'll be asked for a new password.",
          ),
        ]),
  )
}

export function addressRestored({ username, restored }: EmailOf<'address-restored'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Your email address was changed back',
      preview: "The change to your account's address was undone.",
      reason: "You're receiving this email because this address belonged to a Ranklark account.",
      baseUrl,
    },
    paragraph(
      'The Ranklark account ',
      strong(username),
      ' uses ',
      strong(restored),
      ' again instead of this address: someone used the undo link we sent there when the address was changed.',
    ),
    paragraph('Everyone was logged out, and the password was removed. Anyone with access to that inbox can set a new one.'),
    paragraph("If that isn't your address, or you no longer have it, contact the people who run this installation."),
    action('Open Ranklark', baseUrl),
  )
}
