import { Refusal } from '../../common/errors.ts'
import { TookTooLong, TooMuchAtOnce } from '../../platform/clickhouse/clickhouse-errors.ts'
import type { Outcome } from '../outcome-writes.ts'
import type { ConditionRow } from './conditions-store.ts'

const quarterHourMs = 15 * 60_000
const dayMs = 24 * 3_600_000

/** A message for the rule's owner; retried less and less often, at least once a day. */
export function problemOf(conditionId: number, error: unknown, row: ConditionRow | null, now: Date): Outcome['broken'][number] {
  const isRule = row === null
  const since = row?.problemSince ?? now
  const wait = Math.min(Math.max(now.getTime() - since.getTime(), quarterHourMs), dayMs)
  const problem = isRule
    ? error instanceof Refusal
      ? `This rule could not be checked: ${error.message.replace(/\.$/, '')}.`
      : `This rule could not be checked: ${error instanceof Error ? error.message : 'it is invalid'}. Save it again or delete it.`
    : error instanceof TookTooLong
      ? row.segmentId === null
        ? 'This rule could not be checked: reading the data it needs takes too long. Monitor specific pages or keywords instead.'
        : "This rule could not be checked: its segment's filters take too long to run. Choose a segment with simpler filters."
      : error instanceof TooMuchAtOnce
        ? 'This rule could not be checked: the names of the pages or keywords it covers are too long in total. Raise its minimum impressions, or monitor fewer pages or keywords.'
        : "This rule could not be checked because its data could not be read. We'll try again automatically."
  return { conditionId, problem, retryAt: new Date(now.getTime() + wait) }
}
