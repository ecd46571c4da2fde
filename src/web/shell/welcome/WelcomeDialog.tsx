import { Bell, ChartNoAxesCombined, CircleCheck, Eye, Gauge, type LucideIcon, Mail, MousePointerClick, Plug, Search } from 'lucide-react'
import { targetsNoun } from '../../../core/alerting/rule.ts'
import { type ReactNode, useRef } from 'react'
import type { ConditionType } from '../../../contract/alerts/conditions.ts'
import { type Condition, defaultOf } from '../../../core/alerting/defaults.ts'
import { metricLabels } from '../../lib/metric.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { watchesNothing } from '../../widgets/rule-form/copy.ts'
import { useCurrentUser } from '../current-user.ts'
import { completeWelcome, nextWelcomeStep, previousWelcomeStep, welcomeSteps } from './welcome.ts'

/** Explains Ranklark in four steps. Closing counts as skipping. */
export function WelcomeDialog({ step }: { step: number }) {
  const next = useRef<HTMLButtonElement>(null)
  const isLast = step === welcomeSteps
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && completeWelcome()}
      title={titles[step - 1] ?? ''}
      initialFocus={next}
      finalFocus={() => otherDialog(next.current)}
    >
      <div className="mb-5">
        <p aria-live="polite" className="mb-2 text-sm text-muted tabular-nums">
          Step {step} of {welcomeSteps}
        </p>
        <Progress label="Progress" fraction={step / welcomeSteps} className="h-1.5" />
      </div>
      {/* The height of the longest step: the buttons stay under the pointer. */}
      <div className="min-h-81 sm:min-h-70">
        <WelcomeStep step={step} />
      </div>
      <div className="mt-6 flex items-center justify-between gap-2">
        {step === 1 ? (
          <Button variant="quiet" onClick={completeWelcome}>
            Skip
          </Button>
        ) : (
          <Button variant="quiet" onClick={previousWelcomeStep}>
            Back
          </Button>
        )}
        <Button ref={next} variant="primary" onClick={nextWelcomeStep}>
          {isLast ? 'Get Started' : 'Next'}
        </Button>
      </div>
    </Dialog>
  )
}

/** The dialog that a link opened on the screen below. */
const otherDialog = (inside: HTMLElement | null): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog]')].find((dialog) => !dialog.contains(inside)) ?? null

function WelcomeStep({ step }: { step: number }) {
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
        <Point icon={Search}>Keywords close to the top, and the clicks they could gain</Point>
        <Point icon={ChartNoAxesCombined}>How every page changed from the previous period</Point>
        <Point icon={Plug}>One click to connect, nothing to install</Point>
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
        <p>Ranklark can read your properties' data but can't change anything.</p>
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
      <p>Ranklark can read your properties' data but can't change anything.</p>
      <ul className="mt-4 flex flex-col gap-3">
        <Point icon={Plug}>
          {accessToken === null ? 'Connect Google under Profile or when you choose your sites' : 'Your Google account is connected'}
        </Point>
        <Point icon={Eye}>Choose the sites to monitor; switch between them in the property bar at the top</Point>
        <Point icon={CircleCheck}>We import the last 16 months automatically, newest days first</Point>
      </ul>
    </>
  )
}

const metrics: readonly { type: ConditionType; icon: LucideIcon }[] = [
  { type: 'clicks', icon: MousePointerClick },
  { type: 'impressions', icon: Eye },
  { type: 'ctr', icon: Gauge },
  { type: 'position', icon: ChartNoAxesCombined },
]

function FirstAlert() {
  return (
    <>
      <p>
        Every site starts with these rules. They run each time Google finalizes a day. Go to Alert Settings to choose how big a change
        triggers an alert.
      </p>
      <ul className="mt-4 grid grid-cols-2 gap-3">
        {metrics.map(({ type, icon: Icon }) => (
          <li key={type} className="rounded-control border border-line p-3">
            <Icon aria-hidden className="size-4 text-brand" />
            <p className="mt-2 font-medium">{metricLabels[type]}</p>
            <p className="text-sm text-muted">{startOf(defaultOf(type, 'change'))}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A rule's initial state: "On: drops of 15%". */
function startOf({ isEnabled, direction, monitor, targets, threshold, thresholdUnit }: Condition): string {
  const state = !isEnabled ? 'Off' : watchesNothing(monitor, targets) ? `For the ${targetsNoun(monitor)} you choose` : 'On'
  const unit = thresholdUnit === '%' ? '%' : ` ${thresholdUnit}`
  return `${state}: ${direction === 'rises' ? 'increases' : 'drops'} of ${threshold}${unit}`
}

function Notifications() {
  const { plan } = useCurrentUser()
  return (
    <>
      <p>Get alerts where you work.</p>
      <ul className="mt-4 flex flex-col gap-3">
        <Point icon={Mail}>By email, {plan === null ? 'instantly or as a daily or weekly digest' : 'as a daily or weekly digest'}</Point>
        <Point icon={Bell}>{plan === null ? 'In Slack, by SMS or to your own webhook' : 'In Slack, on the Pro and Agency plans'}</Point>
      </ul>
      <p className="mt-4 text-muted">Set them up in Alert Settings at any time.</p>
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

/** The topic of each step of the welcome dialog. */
const titles = ['Welcome to Ranklark', 'Connect Google Search Console', 'Set up your first alert', 'Notification preferences'] as const
