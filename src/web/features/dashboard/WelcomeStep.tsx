import { Bell, ChartNoAxesCombined, CircleCheck, Eye, Gauge, Mail, MousePointerClick, Plug, Search, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCurrentUser } from '../../shell/current-user.ts'

export function WelcomeStep({ step }: { step: number }) {
  switch (step) {
    case 1:
      return <Introduction />
    case 2:
      return <Connection />
    case 3:
      return <FirstAlert />
    default:
      return <Notifications />
  }
}

function Introduction() {
  return (
    <>
      <p>The alerts and reports you wish Search Console would send.</p>
      <ul className="mt-4 flex flex-col gap-3">
        <Point icon={Bell}>Alerts when clicks, impressions, CTR or position really change</Point>
        <Point icon={Search}>Keywords that are close to the top, and what they could bring</Point>
        <Point icon={ChartNoAxesCombined}>Every page’s figures against the days before</Point>
        <Point icon={Plug}>One click to connect, and nothing to install</Point>
      </ul>
    </>
  )
}

function Connection() {
  const { demo, accessToken, gscProperties } = useCurrentUser()
  const samples = (gscProperties ?? []).filter(({ monitored }) => monitored).map(({ name }) => name)
  if (demo && accessToken !== null && samples.length > 0) {
    return (
      <>
        <p>Ranklark reads the figures of your properties, and can change nothing there.</p>
        <div className="mt-4 rounded-control bg-brand-soft p-4">
          <p className="font-medium">This demo account is already connected to sample properties:</p>
          <ul className="mt-2 flex flex-col gap-1.5">
            {samples.map((name) => (
              <li key={name} className="break-words">
                {name}
              </li>
            ))}
          </ul>
        </div>
      </>
    )
  }
  return (
    <>
      <p>Ranklark reads the figures of your properties, and can change nothing there.</p>
      <ul className="mt-4 flex flex-col gap-3">
        <Point icon={Plug}>
          {accessToken === null ? 'Connect Google under Profile, or where you choose your sites' : 'Your Google account is connected'}
        </Point>
        <Point icon={Eye}>Choose the sites to watch; the property bar at the top goes from one to the other</Point>
        <Point icon={CircleCheck}>The last 16 months are fetched by themselves, newest days first</Point>
      </ul>
    </>
  )
}

const metrics: readonly { name: string; icon: LucideIcon; what: string }[] = [
  { name: 'Clicks', icon: MousePointerClick, what: 'Visits from Google' },
  { name: 'Impressions', icon: Eye, what: 'How often you were shown' },
  { name: 'CTR', icon: Gauge, what: 'Clicks per impression' },
  { name: 'Position', icon: ChartNoAxesCombined, what: 'Average rank' },
]

function FirstAlert() {
  return (
    <>
      <p>Four things can be watched. Go to Alert Settings to say from which change on you want to hear of it.</p>
      <ul className="mt-4 grid grid-cols-2 gap-3">
        {metrics.map(({ name, icon: Icon, what }) => (
          <li key={name} className="rounded-control border border-line p-3">
            <Icon aria-hidden className="size-4 text-brand" />
            <p className="mt-2 font-medium">{name}</p>
            <p className="text-sm text-muted">{what}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

function Notifications() {
  const { plan } = useCurrentUser()
  return (
    <>
      <p>Alerts find you where you read.</p>
      <ul className="mt-4 flex flex-col gap-3">
        <Point icon={Mail}>By email, {plan === null ? 'at once or as a daily or weekly digest' : 'as a daily or a weekly digest'}</Point>
        <Point icon={Bell}>{plan === null ? 'In Slack, by SMS or at your own webhook' : 'In Slack, on the Pro and Agency plans'}</Point>
      </ul>
      <p className="mt-4 text-muted">{plan === null ? 'All of them' : 'Both'} are set up under Settings, at any time.</p>
    </>
  )
}

function Point({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="flex items-start gap-3">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-brand" />
      <span>{children}</span>
    </li>
  )
}
