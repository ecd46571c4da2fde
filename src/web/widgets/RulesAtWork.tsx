import { useQuery } from '@tanstack/react-query'
import { targetsNoun } from '../../core/alerting/rule.ts'
import type { SyncStatus } from '../../contract/sync.ts'
import { historyWeeks } from '../../core/alerting/windows.ts'
import { addDays } from '../../core/analytics/days.ts'
import { conditionsQuery } from '../api/alert-conditions.ts'
import { syncQuery } from '../api/sync.ts'
import { watchesNothing } from './rule-form/copy.ts'

/** The evaluated week, and those that define what is usual. */
const weeksNeeded = historyWeeks + 1

/** For a property without alerts: which rules are on, and when they run. */
export function RulesAtWork({ property }: { property: string }) {
  const { data: rules, isPending } = useQuery(conditionsQuery(property))
  const { data: sync } = useQuery(syncQuery(property))
  if (isPending) return null
  const on = rules?.filter(({ isEnabled, problem }) => isEnabled && problem === null) ?? []
  const idle = on.filter(({ monitor, targets }) => watchesNothing(monitor, targets) !== null)
  const watching = on.filter((rule) => !idle.includes(rule))
  return (
    <>
      {watching.length === 0 ? (
        <p>Configure alert conditions and run evaluation to generate alerts</p>
      ) : (
        <p>
          {watching.length === 1 ? '1 rule is on' : `${watching.length} rules are on`}: {watching.map(({ title }) => title).join(', ')}.{' '}
          {runs(watching.length, sync ?? null)}
        </p>
      )}
      {idle.map(({ id, title, monitor }) => (
        <p key={id} className="mt-1">
          {title} is also on, but won't run until you add {targetsNoun(monitor)}.
        </p>
      ))}
    </>
  )
}

function runs(count: number, sync: SyncStatus | null): string {
  const [it, run] = count === 1 ? ['It', 'runs'] : ['They', 'run']
  if (sync?.state === 'imported') return `${it} ${run} each time you import more days.`
  const eachTime = 'each time Google finalizes a day, usually two to three days later.'
  return sync !== null && isTooShort(sync)
    ? `${it} first ${run} once the last ${weeksNeeded} weeks are imported, then ${eachTime}`
    : `${it} ${run} ${eachTime}`
}

/** Days are still arriving, and the present ones don't yet show what is usual. */
const isTooShort = ({ daysLeft, firstDate, completeThrough }: SyncStatus): boolean =>
  daysLeft > 0 && (firstDate === null || completeThrough === null || firstDate > addDays(completeThrough, 1 - 7 * weeksNeeded))
