import { action, paragraph } from '../../mail/layout.ts'
import { type Composed, render } from '../../mail/render.ts'
import type { MessageOf } from '../message.ts'
import { siteName } from './copy.ts'
import { frame } from './mail-frame.ts'
import type { About } from './pieces.ts'

/** A test requested by somebody to see that email arrives. */
export function testMail({ property }: MessageOf<'test'>, about: About): Composed {
  const site = property === null ? null : siteName(property, 48)
  return render({
    subject: `Test email from Ranklark${site === null ? '' : ` · ${site}`}`,
    mail: frame(
      {
        preview: 'Your alerts and digests will arrive here.',
        headline: 'Your test email arrived',
        because: 'a test email was requested',
      },
      about,
      paragraph(`This is only a test. Alerts${site === null ? '' : ` about ${site}`} and digests will arrive the same way.`),
      action('Open Alert Settings', `${about.baseUrl}/alert-settings`),
    ),
  })
}
