import { action, paragraph } from '../../mail/layout.ts'
import { type Composed, render } from '../../mail/render.ts'
import type { MessageOf } from '../message.ts'
import { siteName } from './item-words.ts'
import { frame } from './mail-frame.ts'
import type { About } from './pieces.ts'

/** What somebody asked for to see that mail arrives. */
export function testMail({ property }: MessageOf<'test'>, about: About): Composed {
  const site = property === null ? null : siteName(property, 48)
  return render({
    subject: `Test mail from Ranklark${site === null ? '' : ` · ${site}`}`,
    mail: frame(
      {
        preview: 'Alerts and digests will arrive here, too.',
        headline: 'Mail from Ranklark arrives here',
        because: 'somebody asked for a test of the alerts',
      },
      about,
      paragraph(`This is a test, and nothing has happened. Alerts${site === null ? '' : ` about ${site}`} and digests come the same way.`),
      action('Open your alert settings', `${about.baseUrl}/alert-settings`),
    ),
  })
}
