import type { BacktestAnswer, NewCondition } from '../../../contract/alert-conditions.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import { directionOf } from '../../../core/alerting/options.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { daysBetween, formatDay } from '../../lib/dates.ts'
import { fieldsOf, type RuleValues } from './rule-values.ts'

/** Days on which alerts would have been opened, within the days that were judged. */
export type Trial = { from: IsoDate; through: IsoDate; days: BacktestAnswer['days'] }

/** Null while too little is stored to judge even one day. */
export function trialOf({ from, through, days }: BacktestAnswer): Trial | null {
  return from === null || through === null ? null : { from, through, days }
}

/** What a rule has done over the stored history, in a line. */
export function trialSentence({ from, through, days }: Trial): string {
  if (days.length === 0) return `No alerts in ${lengthOf(daysBetween(from, through) + 1)}`
  return `Would have alerted on ${counted(days.length, 'day')} since ${formatDay(from, true)}`
}

function lengthOf(days: number): string {
  if (days >= 60) return counted(Math.round(days / 30.44), 'month')
  return days >= 14 ? counted(Math.floor(days / 7), 'week') : counted(days, 'day')
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The first few names of `count`, and how many more there are. */
export function someOf(names: readonly string[], most: number, count = names.length): { names: readonly string[]; more: string | null } {
  const told = names.slice(0, most)
  const rest = count - told.length
  return { names: told, more: rest > 0 ? `and ${rest} more` : null }
}

/** What of a rule is not among the values that can be changed in place. */
export type RuleName = Pick<Condition, 'type' | 'kind' | 'title' | 'thresholdUnit'>

/**
 * The rule to be tried. Whether it is on does not matter, and of its title only what is watched: nothing is asked anew while
 * somebody types another one.
 */
export function triedRule({ type, kind, title, thresholdUnit }: RuleName, values: RuleValues): NewCondition {
  return { type, kind, thresholdUnit, ...fieldsOf(values), isEnabled: true, title: directionOf(title) === 'better' ? 'Spike' : 'Drop' }
}
