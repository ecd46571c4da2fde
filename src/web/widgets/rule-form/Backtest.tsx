import { clsx } from 'clsx'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { Button, iconButtonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type RuleName, type Trial, trialDetails, trialOf, trialSentence } from './copy.ts'
import type { RuleValues } from './rule-values.ts'
import { TrialTable } from './TrialTable.tsx'
import { TrialTimeline } from './TrialTimeline.tsx'
import { type Look, useBacktest } from './use-backtest.ts'
import { useSeen } from './use-seen.ts'

type BacktestProps = { property: string; rule: RuleName; values: RuleValues; className?: string }

/** When a rule would have alerted over the stored history: a rule nobody tried is a rule nobody trusts. */
export function Backtest({ property, rule, values, className }: BacktestProps) {
  const [ref, seen] = useSeen<HTMLElement>()
  const asked = JSON.stringify([rule, values])
  const [first] = useState(asked)
  const isTyped = asked !== first
  const look = useBacktest(property, rule, values, { wanted: seen, isTyped })
  const isBusy = look.state === 'loading' || (look.state === 'there' && look.outdated)
  return (
    <figure
      ref={ref}
      aria-label="Backtest"
      aria-busy={isBusy}
      // Announced as the answer to a change, not when the screen opens.
      aria-live={isTyped ? 'polite' : 'off'}
      className={clsx('flex flex-col transition-opacity duration-150', look.state === 'there' && look.outdated && 'opacity-50', className)}
    >
      <Content look={look} rule={rule} monitor={values.monitor} />
    </figure>
  )
}

type Tried = { rule: RuleName; monitor: RuleValues['monitor'] }

function Content({ look, ...tried }: Tried & { look: Look }) {
  switch (look.state) {
    case 'unasked':
      return <p className="py-2.5 text-sm text-muted">{look.why}</p>
    case 'loading':
      return <Loading />
    case 'failed':
      return (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <p className="min-w-0 flex-1 basis-56 wrap-anywhere text-critical">{look.message}</p>
          <Button onClick={look.retry}>Try again</Button>
        </div>
      )
    case 'there': {
      const trial = trialOf(look.answer)
      return trial === null ? <TooShort /> : <Found trial={trial} {...tried} />
    }
  }
}

function Found({ trial, rule, monitor }: Tried & { trial: Trial }) {
  const { title } = rule
  const details = trialDetails(trial, { ...rule, monitor })
  return (
    <>
      <div className="flex h-10 items-center justify-between gap-3">
        <p className="min-w-0 text-sm font-medium text-balance">{trialSentence(trial)}</p>
        {trial.days.length > 0 && (
          <Popover
            label={title.trim() === '' ? 'Show as table' : `Show as table: ${title}`}
            title="Days with alerts"
            triggerClass={iconButtonClass('-mr-2.5 shrink-0 text-muted!')}
            trigger={<Table2 aria-hidden />}
          >
            <TrialTable days={trial.days} />
          </Popover>
        )}
      </div>
      <TrialTimeline trial={trial} />
      {details.length > 0 && <p className="mt-2 text-sm wrap-anywhere text-muted">{details.join(' ')}</p>}
    </>
  )
}

function TooShort() {
  return (
    <p className="py-2.5 text-sm">
      <span className="font-medium">Not enough history yet</span>
      <span className="block text-muted">The backtest appears once enough days are stored.</span>
    </p>
  )
}

/** The size of the content. */
function Loading() {
  return (
    <>
      <span className="sr-only">Loading the backtest</span>
      <div className="flex h-10 items-center">
        <Skeleton className="h-4 w-64 max-w-full" />
      </div>
      <Skeleton className="mb-5 h-8 w-full" />
    </>
  )
}
