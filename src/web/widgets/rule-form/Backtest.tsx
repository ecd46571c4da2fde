import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { targetsNoun } from '../../../core/alerting/rule.ts'
import { clsx } from 'clsx'
import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { type BacktestAnswer, newCondition } from '../../../contract/alerts/conditions.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { searchTypeProblem } from '../../../core/alerting/options.ts'
import { backtestQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { formatDay } from '../../lib/dates.ts'
import { useSeen } from '../../lib/hooks/use-seen.ts'
import { Button, iconButtonClass } from '../../ui/Button.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import {
  type RuleName,
  someOf,
  type Backtested,
  backtestDetails,
  backtestedOf,
  backtestSentence,
  triedRule,
  watchesNothing,
} from './copy.ts'
import type { RuleValues } from './rule-values.ts'
import { BacktestTimeline } from './BacktestTimeline.tsx'

type BacktestProps = { property: string; rule: RuleName; values: RuleValues; className?: string }

/** When a rule would have alerted over the stored history: a rule nobody tried is a rule nobody trusts. */
export function Backtest({ property, rule, values, className }: BacktestProps) {
  const [ref, seen] = useSeen<HTMLElement>('100%')
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
      const backtested = backtestedOf(look.answer)
      return backtested === null ? <TooShort /> : <Found backtested={backtested} {...tried} />
    }
  }
}

function Found({ backtested, rule, monitor }: Tried & { backtested: Backtested }) {
  const { title } = rule
  const details = backtestDetails(backtested, { ...rule, monitor })
  return (
    <>
      <div className="flex h-10 items-center justify-between gap-3">
        <p className="min-w-0 text-sm font-medium text-balance">{backtestSentence(backtested)}</p>
        {backtested.days.length > 0 && (
          <Popover
            label={title.trim() === '' ? 'Show as table' : `Show as table: ${title}`}
            title="Days with alerts"
            triggerClass={iconButtonClass('-mr-2.5 shrink-0 text-muted!')}
            trigger={<Table2 aria-hidden />}
          >
            <BacktestTable days={backtested.days} />
          </Popover>
        )}
      </div>
      <BacktestTimeline backtested={backtested} />
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

type Look =
  | { state: 'unasked'; why: string }
  | { state: 'loading' }
  | { state: 'failed'; message: string; retry: () => void }
  /** `outdated`: for the earlier fields; the current ones are being requested. */
  | { state: 'there'; answer: BacktestAnswer; outdated: boolean }

type Asked = { /** Somebody has scrolled near it. */ wanted: boolean; /** It has been edited. */ isTyped: boolean }

/** What a rule with these fields would have done, refetched as they change. */
function useBacktest(property: string, rule: RuleName, values: RuleValues, { wanted, isTyped }: Asked): Look {
  const tried = triedRule(rule, values)
  const isRight = newCondition.safeParse(tried).success && searchTypeProblem({ ...rule, ...values }, values.searchType) === null
  const nothing = watchesNothing(values.monitor, tried.targets ?? [])
  const { data, error, isFetching, refetch } = useQuery({
    ...backtestQuery(property, tried, isTyped),
    enabled: wanted && isRight && nothing === null,
    // The previous result stays, dimmed, until the new one arrives.
    placeholderData: keepPreviousData,
  })
  if (!isRight) return { state: 'unasked', why: 'Fix the fields above to see a backtest.' }
  if (nothing !== null) return { state: 'unasked', why: `Add ${targetsNoun(values.monitor)} to see a backtest.` }
  if (error !== null && !isFetching) {
    return {
      state: 'failed',
      message: `The backtest for ${propertyName(property)} could not be loaded. ${failureText(error)}`,
      retry: () => void refetch(),
    }
  }
  return data === undefined ? { state: 'loading' } : { state: 'there', answer: data, outdated: isFetching }
}

/** Names per day that a table can show without becoming a list of names. */
const mostNames = 20

/** The timeline's data as a table, newest day first. */
function BacktestTable({ days }: Pick<Backtested, 'days'>) {
  return (
    <table className="w-96 max-w-full text-sm tabular-nums">
      <caption className="sr-only">Days with alerts</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1.5 pr-4 text-left font-medium">
            Date
          </th>
          <th scope="col" className="py-1.5 pr-4 text-right font-medium">
            Alerts
          </th>
          <th scope="col" className="py-1.5 pr-4 text-right font-medium">
            Ignored
          </th>
          <th scope="col" className="py-1.5 text-left font-medium">
            Affected
          </th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ date, alerts, silenced, entities }) => (
          <tr key={date} className="border-b border-line align-top last:border-0">
            <th scope="row" className="py-1.5 pr-4 text-left font-normal whitespace-nowrap">
              {formatDay(date, true)}
            </th>
            <td className="py-1.5 pr-4 text-right">{alerts}</td>
            <td className="py-1.5 pr-4 text-right">{silenced}</td>
            <td className="py-1.5 wrap-anywhere">
              <Names entities={entities} count={alerts + silenced} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Names({ entities, count }: { entities: readonly string[]; count: number }) {
  const { names, more } = someOf(entities, mostNames, count)
  return (
    <>
      {names.map((name) => (
        <div key={name}>{name}</div>
      ))}
      {more !== null && <div className="text-muted">{more}</div>}
    </>
  )
}
