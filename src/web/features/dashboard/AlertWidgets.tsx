import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { BellPlus, BellRing } from 'lucide-react'
import { useId, useRef, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { leftOutText } from '../../../core/alerting/bounds.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { alertsQuery, evaluateAlerts, reloadAlerts, useOpenCount } from '../../api/alerts.ts'
import { failureText } from '../../api/client.ts'
import { formatCount } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { onWelcomeChange, readWelcome } from '../../shell/welcome/welcome.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useKeptFocus } from '../../widgets/alert-list-focus.ts'
import { AlertCard } from '../../widgets/AlertCard.tsx'
import { useTestEmail } from '../../widgets/delivery/use-test-email.ts'
import { AlertsProblem } from '../../widgets/LoadProblem.tsx'
import { RulesAtWork } from '../../widgets/RulesAtWork.tsx'
import { Audience } from './Audience.tsx'
import { mostSevere } from './most-severe.ts'
import { Movers } from './Movers.tsx'
import { OfWholeSite } from './OfWholeSite.tsx'
import { TodayCard } from './TodayCard.tsx'

type AlertWidgetsProps = {
  property: string | null
  /** Also has the open alerts, if no chart has them beside it. */
  withAlerts?: boolean
}

/** The dashboard below the chart: the largest changes, the audience, today, and evaluating by hand. */
export function AlertWidgets({ property, withAlerts = false }: AlertWidgetsProps) {
  // A tall alert beside the chart moves what is below it.
  const { isPending } = useQuery({ ...alertsQuery(property ?? '', { state: 'open' }), enabled: property !== null })
  return (
    <div className={clsx('mt-4 grid grid-cols-1 gap-4 xl:mt-5 xl:gap-5', isPending && property !== null && 'invisible')}>
      <FirstAlertPrompt property={property} />
      {property !== null && (
        <>
          {withAlerts && <OpenAlerts property={property} />}
          <Movers property={property} />
          <Audience property={property} />
          <TodayCard property={property} />
        </>
      )}
      <ManualEvaluation property={property} />
    </div>
  )
}

/** For somebody who knows the product by now but has no rule yet (SPEC §4). */
function FirstAlertPrompt({ property }: { property: string | null }) {
  const id = useId()
  const { completed } = useSyncExternalStore(onWelcomeChange, readWelcome)
  const { data: rules } = useQuery({ ...conditionsQuery(property), enabled: completed })
  if (!completed || rules === undefined || rules.length > 0) return null
  return (
    <section aria-labelledby={id}>
      <Card className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand">
          <BellPlus aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-1 basis-56">
          <h2 id={id} className="text-base font-semibold">
            Ready to set up your first alert?
          </h2>
          <p className="mt-0.5 text-muted">
            {property === null
              ? 'Your first property comes with rules already turned on. For now, you can choose where alerts go.'
              : 'Choose which changes in clicks, impressions, CTR or position trigger an alert.'}
          </p>
        </div>
        <Link to={paths.alertSettings} className={buttonClass(property === null ? 'secondary' : 'primary')}>
          Create Your First Alert
        </Link>
      </Card>
    </section>
  )
}

/** The most severe unhandled alert, or what is monitored while there are none (SPEC §2, OPEN-POINTS 27). */
export function OpenAlerts({ property }: { property: string }) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  const now = useNow()
  const { data: alerts, error, isPlaceholderData, refetch } = useQuery(alertsQuery(property, { state: 'open' }))
  const count = useOpenCount(property, alerts)
  const worst = mostSevere(alerts ?? [])
  // Of a longer list only the latest are known.
  const isAll = alerts?.length === count
  return (
    <section
      ref={section}
      aria-labelledby={id}
      aria-busy={isPlaceholderData}
      className={clsx('flex min-w-0 flex-col transition-opacity duration-150', isPlaceholderData && 'opacity-50')}
    >
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} tabIndex={-1} className="text-base font-semibold">
          Open alerts
        </h2>
        <Link to={paths.alerts} className="control inline-flex items-center font-medium text-brand hover:underline">
          {count !== undefined && count > (worst === null ? 0 : 1) ? `All active alerts (${formatCount(count)})` : 'All active alerts'}
        </Link>
      </div>
      <OfWholeSite what="Open alerts" />
      {error !== null && alerts === undefined ? (
        <Card>
          <AlertsProblem property={property} error={error} onRetry={() => void refetch()} />
        </Card>
      ) : alerts === undefined ? (
        <div aria-busy>
          <output className="sr-only">Loading alerts</output>
          <Skeleton className="h-24 rounded-card!" />
        </div>
      ) : worst === null ? (
        <Card className="flex grow items-start gap-4">
          <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand">
            <BellRing aria-hidden className="size-5" />
          </span>
          <div className="min-w-0 text-muted">
            <h3 className="font-semibold text-text">
              {alerts.length === 0 ? 'No open alerts' : isAll ? 'Nothing needs your attention' : 'Check your older alerts'}
            </h3>
            {alerts.length === 0 ? (
              <RulesAtWork property={property} />
            ) : (
              <p>
                {alerts.length === 1
                  ? 'The open alert is'
                  : `${isAll ? 'All' : 'The latest'} ${formatCount(alerts.length)} open alerts are`}{' '}
                acknowledged or snoozed.
              </p>
            )}
          </div>
        </Card>
      ) : (
        <AlertCard key={worst.id} alert={worst} now={now} />
      )}
    </section>
  )
}

/** Evaluates the rules now instead of when the next complete day arrives, and tests whether alerts arrive by email. */
function ManualEvaluation({ property }: { property: string | null }) {
  const id = useId()
  const client = useQueryClient()
  const testEmail = useTestEmail()
  const evaluation = useMutation({
    mutationFn: evaluateAlerts,
    onSuccess: async ({ count, leftOut }) => {
      const generated = `Generated ${count} new alerts based on your current metrics`
      toast.success('Alert evaluation complete', leftOut > 0 ? `${generated}. ${leftOutText(leftOut)}` : generated)
      await reloadAlerts(client)
    },
    onError: (error) => toast.error('Alert evaluation failed', failureText(error, 'Failed to evaluate alert conditions')),
    // A rule that couldn't be evaluated says so.
    onSettled: (_count, _error, evaluated) => client.invalidateQueries(conditionsQuery(evaluated)),
  })
  return (
    <section aria-labelledby={id}>
      <Card className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <div className="min-w-0 flex-1 basis-56">
          <h2 id={id} className="text-base font-semibold">
            Manual Alert Evaluation
          </h2>
          <p className="mt-0.5 text-muted">
            {property === null
              ? 'Select a property to evaluate its rules. Test Email works without one.'
              : 'Rules are checked when a new complete day of data comes in. You can also check them now.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button disabled={testEmail.isPending} onClick={() => testEmail.mutate()}>
            {testEmail.isPending ? 'Sending...' : 'Test Email'}
          </Button>
          <Button disabled={evaluation.isPending || property === null} onClick={() => property !== null && evaluation.mutate(property)}>
            {evaluation.isPending ? 'Evaluating...' : 'Evaluate Alerts'}
          </Button>
        </div>
      </Card>
    </section>
  )
}
