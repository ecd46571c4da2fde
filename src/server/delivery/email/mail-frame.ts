import type { ReactElement, ReactNode } from 'react'
import { footerLink, layout } from '../../mail/layout.ts'
import { cutMiddle } from './cut-middle.ts'
import { rules } from './look.ts'
import type { About } from './pieces.ts'

const mostUsername = 60
/** Characters that mail programs show after the subject. */
const mostPreview = 140

type Frame = {
  preview: string
  headline: string
  /** The reason for this email, up to "for the Ranklark account …". */
  because: string
}

/** The look of our emails, plus how to get fewer of these. */
export function frame({ preview, headline, because }: Frame, about: About, ...content: ReactNode[]): ReactElement {
  const { username, baseUrl, unsubscribePage } = about
  const account = username === null ? 'a Ranklark account' : `the Ranklark account ${cutMiddle(username, mostUsername)}`
  return layout(
    {
      preview: cutMiddle(preview, mostPreview),
      headline,
      reason: `You're receiving this email because ${because} for ${account}.`,
      baseUrl,
      rules,
      footer: [
        ['Manage alerts, channels and timing: ', footerLink('Alert Settings', `${baseUrl}/alert-settings`)],
        ["Don't want these emails? ", footerLink('Unsubscribe', unsubscribePage)],
      ],
    },
    ...content,
  )
}
