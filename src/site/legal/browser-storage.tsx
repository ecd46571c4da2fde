import type { ReactNode } from 'react'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

const cookies: readonly Entry[] = [
  ['ranklark.session_token', 'Keeps you logged in for up to 30 days after your last visit'],
  ['ranklark.two_factor', 'While you enter the code from your authenticator app; a few minutes'],
  ['ranklark.trust_device', 'If you choose not to be asked for a code in this browser; 30 days'],
  ['ranklark.google', 'While you log in with Google or grant access there; a few minutes'],
]

const local: readonly Entry[] = [
  ['ranklark-ui-theme', 'Light, dark or system theme'],
  ['ranklark-ui-color-by', 'How changes are colored'],
  ['ranklark-notices-height', 'How much room notices at the top took up on your last visit'],
  ['ranklark_onboarding_completed', 'Whether you have seen the welcome tour'],
]

const session: readonly Entry[] = [
  [
    'ranklark-purchase-flow',
    <Sold key="flow" otherwise="How far along you are in setup">
      The plan and sites you chose, and for which account, until setup is complete
    </Sold>,
  ],
  ['ranklark-demo-banner-dismissed', 'Whether you closed the demo notice'],
  ['ranklark-confirm-address-dismissed', 'Whether you closed the reminder to confirm your email address'],
  ['react-router-scroll-positions', 'Your scroll position on each screen, to restore it when you return'],
]

export const browserStorage: Chapter = {
  id: 'cookies',
  title: 'Cookies and browser storage',
  content: (
    <>
      <p>
        Everything listed here is necessary for the features you use, so there is no cookie banner. None of it tracks you on other sites.
        Over HTTPS, the cookies’ names begin with <code>__Host-</code>.
      </p>
      <Entries title="Cookies" entries={cookies} />
      <Entries title="Local storage, until you clear it" entries={local} />
      <Entries title="Session storage, until the window is closed" entries={session} />
      <Sold>
        <p>When you pay, Stripe sets its own cookies to detect fraud.</p>
      </Sold>
    </>
  ),
}

type Entry = readonly [name: string, purpose: ReactNode]

function Entries({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {entries.map(([name, purpose]) => (
          <div key={name} className="grid gap-x-6 border-b border-line py-2.5 first:border-t sm:grid-cols-[18rem_1fr]">
            <dt>
              <code className="break-all">{name}</code>
            </dt>
            <dd>{purpose}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
