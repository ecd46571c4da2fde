import type { ReactNode } from 'react'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

const cookies: readonly Entry[] = [
  ['ranklark.session_token', 'Keeps you signed in; up to 30 days after your last visit'],
  ['ranklark.two_factor', 'While you are asked for the code of your authenticator app; some minutes'],
  ['ranklark.trust_device', 'If you choose not to be asked for the code in this browser; 30 days'],
  ['ranklark.google', 'While you are at Google to log in or give permission; some minutes'],
]

const local: readonly Entry[] = [
  ['ranklark-ui-theme', 'Light, dark or as the system has it'],
  ['ranklark-ui-colour-by', 'How changes are colored'],
  ['ranklark_onboarding_completed', 'That you have seen the welcome tour'],
]

const session: readonly Entry[] = [
  [
    'ranklark-purchase-flow',
    <Sold key="flow" otherwise="How far you are in setting up">
      The plan and sites you have chosen, and with which account, until you are done
    </Sold>,
  ],
  ['ranklark-demo-banner-dismissed', 'That you have closed the notice of a demo'],
  ['ranklark-confirm-address-dismissed', 'That you have closed the reminder to confirm your address'],
  ['react-router-scroll-positions', 'How far you had scrolled on each screen, to bring you back there'],
]

export const browserStorage: Chapter = {
  id: 'cookies',
  title: 'Cookies and what else your browser keeps',
  content: (
    <>
      <p>
        All of it is needed for what you asked for, which is why no banner asks about it. None of it follows you to other sites. On a secure
        connection their names begin with <code>__Host-</code>.
      </p>
      <Entries title="Cookies" entries={cookies} />
      <Entries title="Local storage, until you clear it" entries={local} />
      <Entries title="Session storage, until the window is closed" entries={session} />
      <Sold>
        <p>Where you pay, Stripe sets cookies of its own, to recognise fraud.</p>
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
