import type { BacktestAnswer, NewCondition, ThresholdUnit } from '../../../contract/alerts/conditions.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { daysBetween, formatDay } from '../../lib/dates.ts'
import { fieldsOf, type RuleValues } from './rule-values.ts'

/** Days on which alerts would have been opened, within the days that were judged. */
export type Trial = { from: IsoDate; through: IsoDate } & Pick<BacktestAnswer, 'days' | 'alertsAYear' | 'usual'>

/** Null while too little is stored to judge even one day. */
export function trialOf({ from, through, ...found }: BacktestAnswer): Trial | null {
  return from === null || through === null ? null : { from, through, ...found }
}

/** What a rule has done over the stored history, in a line. */
export function trialSentence({ from, through, days }: Trial): string {
  const alerted = days.filter(({ alerts }) => alerts > 0).length
  if (alerted === 0) return `No alerts in ${lengthOf(daysBetween(from, through) + 1)}`
  return `Would have alerted on ${counted(alerted, 'day')} since ${formatDay(from, true)}`
}

/** What the rule costs and what is usual here: "About 3 alerts a year. /desk-lamp varies by 38% from week to week; alerts from −52%." */
export function trialDetails({ alertsAYear, usual }: Pick<Trial, 'alertsAYear' | 'usual'>, unit: ThresholdUnit): string[] {
  const size = (value: number): string => (unit === '%' ? `${Math.round(value)}%` : counted(Math.round(value * 10) / 10, 'position'))
  return [
    ...(alertsAYear === null
      ? []
      : [alertsAYear < 0.75 ? 'Less than 1 alert a year.' : `About ${counted(Math.round(alertsAYear), 'alert')} a year.`]),
    ...(usual === null
      ? []
      : [
          `${usual.entity} varies by ${size(usual.varies)} from week to week; alerts from ${signs[Math.sign(usual.alertsFrom)] ?? ''}${size(Math.abs(usual.alertsFrom))}.`,
        ]),
  ]
}

const signs: Record<number, string> = { [-1]: '−', 1: '+' }

function lengthOf(days: number): string {
  if (days >= 60) return counted(Math.round(days / 30.44), 'month')
  return days >= 14 ? counted(Math.floor(days / 7), 'week') : counted(days, 'day')
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What a day would have brought: "2 alerts, 1 silenced as usual". */
export function happened({ alerts, silenced }: { alerts: number; silenced: number }): string {
  const parts = [...(alerts > 0 ? [counted(alerts, 'alert')] : []), ...(silenced > 0 ? [`${silenced} silenced as usual`] : [])]
  return parts.join(', ')
}

/** The first few names of `count`, and how many more there are. */
export function someOf(names: readonly string[], most: number, count = names.length): { names: readonly string[]; more: string | null } {
  const told = names.slice(0, most)
  const rest = count - told.length
  return { names: told, more: rest > 0 ? `and ${rest} more` : null }
}

/** What of a rule is not among the values that can be changed in place. */
export type RuleName = Pick<Condition, 'type' | 'kind' | 'title' | 'thresholdUnit'>

/** The rule to be tried. Whether it is on does not matter, nor its title: nothing is asked anew while somebody types another one. */
export function triedRule({ type, kind, thresholdUnit }: RuleName, values: RuleValues): NewCondition {
  return { type, kind, thresholdUnit, ...fieldsOf(values), isEnabled: true, title: 'Tried' }
}
