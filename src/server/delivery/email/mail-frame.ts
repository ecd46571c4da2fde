import type { ReactElement, ReactNode } from 'react'
import { footerLink, layout } from '../../mail/layout.ts'
import { cutMiddle } from './cut-middle.ts'
import { rules } from './look.ts'
import type { About } from './pieces.ts'

const mostUsername = 60
/** What mail programs show behind the subject. */
const mostPreview = 140

type Frame = {
  preview: string
  headline: string
  /** Why they get this mail, up to "of the Ranklark account …". */
  because: string
}

/** The look of letters, and how to get fewer of these. */
export function frame({ preview, headline, because }: Frame, about: About, ...content: ReactNode[]): ReactElement {
  const { username, baseUrl, unsubscribePage } = about
  return layout(
    {
      preview: cutMiddle(preview, mostPreview),
      headline,
      reason: `You get this mail because ${because} of the Ranklark account ${cutMiddle(username, mostUsername)}.`,
      baseUrl,
      rules,
      footer: [
        ['Choose what comes, when and where: ', footerLink('Alert settings', `${baseUrl}/alert-settings`)],
        ['No more of these mails: ', footerLink('Unsubscribe', unsubscribePage)],
      ],
    },
    ...content,
  )
}
