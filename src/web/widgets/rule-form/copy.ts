import type { AlertCondition, BacktestAnswer, Direction, NewCondition } from '../../../contract/alerts/conditions.ts'
import { targetsNoun } from '../../../core/alerting/rule.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import { comparisonOptions, sensitivityOptions } from '../../../core/alerting/options.ts'
import { daysBetween } from '../../../core/analytics/days.ts'
import { typeLabels } from '../../../core/analytics/exploration.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { countOf } from '../../../core/words.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels } from '../../lib/metric.ts'
import { fieldsOf, type RuleValues } from './rule-values.ts'

type Threshold = Pick<Condition, 'kind' | 'direction' | 'thresholdUnit'>

/** The label before the threshold (SPEC §5). For new or lost ones it is the last position that counts. */
export function thresholdLabel({ kind, direction }: Threshold): string {
  switch (kind) {
    case 'change':
    case 'unusual':
      return `Alert when ${verbs[direction]} by`
    case 'new_query':
    case 'new_page':
      return 'Alert when it enters the top'
    case 'lost_query':
      return 'Alert when it drops out of the top'
  }
}

/** The label after it. */
export const thresholdUnit = ({ kind, thresholdUnit: unit }: Omit<Threshold, 'direction'>): string =>
  kind === 'change' || kind === 'unusual' ? `${unit} or more` : 'positions'

const verbs: Record<Direction, string> = { falls: 'drops', rises: 'increases', both: 'changes' }
const directions: Record<Direction, string> = { falls: 'unusually low', rises: 'unusually high', both: 'unusually low or high' }

/** A rule in a line: "Clicks · Whole site · drops by 15% or more vs previous 7 days". */
export function ruleSummary(rule: AlertCondition): string {
  const about = rule.monitorOptions.find(({ value }) => value === rule.monitor)?.label ?? rule.monitor
  const isFigure = rule.kind === 'change' || rule.kind === 'unusual'
  const within = [
    ...(rule.searchType === 'web' ? [] : [typeLabels[rule.searchType]]),
    ...(rule.segmentName === undefined ? [] : [`segment “${rule.segmentName}”`]),
  ]
  return [...(isFigure ? [metricLabels[rule.type]] : []), about, ...within, changeOf(rule)].join(' · ')
}

function changeOf(rule: AlertCondition): string {
  switch (rule.kind) {
    case 'change': {
      const space = rule.thresholdUnit === '%' ? '' : ' '
      const against = comparisonOptions.find(({ value }) => value === rule.comparison)
      const change = `${verbs[rule.direction]} by ${rule.threshold}${space}${thresholdUnit(rule)}`
      const compared = against ? `${change} vs ${against.label.toLowerCase()}` : change
      return rule.onlyUnusual ? `${compared} · only when unusual` : compared
    }
    case 'unusual': {
      const often = sensitivityOptions(rule.monitor).find(({ value }) => value === rule.sensitivity)?.label
      return [directions[rule.direction], ...(often === undefined ? [] : [often.toLowerCase()])].join(' · ')
    }
    case 'new_query':
    case 'new_page':
      return `new in the top ${rule.threshold}`
    case 'lost_query':
      return `out of the top ${rule.threshold}`
  }
}

/** Why a rule finds nothing, whatever the figures; null if it watches something. */
export function watchesNothing(monitor: Condition['monitor'], targets: readonly string[]): string | null {
  if ((monitor !== 'pages' && monitor !== 'queries') || targets.length > 0) return null
  return `No ${targetsNoun(monitor)} added yet, so this rule doesn't monitor anything.`
}

/** Days on which alerts would have been opened, within the evaluated days. */
export type Backtested = { from: IsoDate; through: IsoDate } & Pick<BacktestAnswer, 'days' | 'alertsAYear' | 'usual' | 'expected'>

/** Null while too little is stored to evaluate even one day. */
export function backtestedOf({ from, through, ...found }: BacktestAnswer): Backtested | null {
  return from === null || through === null ? null : { from, through, ...found }
}

/** What a rule did over the stored history, in a line. */
export function backtestSentence({ from, through, days }: Backtested): string {
  const alerted = days.filter(({ alerts }) => alerts > 0).length
  if (alerted === 0) return `No alerts in ${lengthOf(daysBetween(from, through))}`
  return `Would have alerted on ${counted(alerted, 'day')} since ${formatDay(from, true)}`
}

/**
 * The rule's cost and what is usual here: "About 3 alerts a year. /desk-lamp varies by 38% from week to week; alerts from −52%.", or of a
 * smart rule, "About 1 alert a year. lamps.example: about 5,300 clicks expected in a week; alerts when below 4,600 or above 6,400."
 */
export function backtestDetails(
  { alertsAYear, usual, expected }: Pick<Backtested, 'alertsAYear' | 'usual' | 'expected'>,
  { type, thresholdUnit: unit, monitor }: Pick<Condition, 'type' | 'thresholdUnit' | 'monitor'>,
): string[] {
  const size = (value: number): string => (unit === '%' ? `${Math.round(value)}%` : counted(Math.round(value * 10) / 10, 'position'))
  return [
    ...(alertsAYear === null
      ? []
      : [alertsAYear < 0.75 ? 'Less than 1 alert a year.' : `About ${counted(Math.round(alertsAYear), 'alert')} a year.`]),
    ...(usual === null
      ? []
      : [
          `${propertyName(usual.entity)} varies by ${size(usual.varies)} from week to week; alerts start at ${signs[Math.sign(usual.alertsFrom)] ?? ''}${size(Math.abs(usual.alertsFrom))}.`,
        ]),
    ...(expected === null ? [] : [expectedSentence(expected, type, monitor)]),
  ]
}

function expectedSentence(
  { entity, value, low, high }: NonNullable<BacktestAnswer['expected']>,
  type: Condition['type'],
  monitor: Condition['monitor'],
): string {
  const isCount = type === 'clicks' || type === 'impressions'
  const figure = (of: number): string => formatMetric(type, isCount ? Math.round(of) : of)
  const [under, over] = type === 'position' ? ['better than', 'worse than'] : ['below', 'above']
  const limits = [...(low === null ? [] : [`${under} ${figure(low)}`]), ...(high === null ? [] : [`${over} ${figure(high)}`])].join(' or ')
  const what = isCount ? `about ${countOf(type, value)} expected in a week` : `${metricLabels[type]} of ${figure(value)} expected`
  // A position that nobody chose to watch counts only where clicks changed with it (core/alerting/unusual/many.ts).
  const provided = type === 'position' && monitor === 'all_queries' ? ' if clicks also change' : ''
  return `${propertyName(entity)}: ${what}; ${limits === '' ? 'never alerts' : `alerts when ${limits}${provided}`}.`
}

const signs: Record<number, string> = { [-1]: '−', 1: '+' }

function lengthOf(days: number): string {
  if (days >= 60) return counted(Math.round(days / 30.44), 'month')
  return days >= 14 ? counted(Math.floor(days / 7), 'week') : counted(days, 'day')
}

export const counted = (count: number, noun: string): string => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

/** A day's result: "2 alerts, 1 silenced as usual". */
export function happened({ alerts, silenced }: { alerts: number; silenced: number }): string {
  const parts = [...(alerts > 0 ? [counted(alerts, 'alert')] : []), ...(silenced > 0 ? [`${silenced} ignored as normal`] : [])]
  return parts.join(', ')
}

/** The first few names of `count`, and how many more there are. */
export function someOf(names: readonly string[], most: number, count = names.length): { names: readonly string[]; more: string | null } {
  const first = names.slice(0, most)
  const rest = count - first.length
  if (rest <= 0) return { names: first, more: null }
  return { names: first, more: first.length > 0 ? `and ${rest} more` : `${rest} with long names` }
}

/** The parts of a rule that can't be edited in place. */
export type RuleName = Pick<Condition, 'type' | 'kind' | 'title' | 'thresholdUnit'>

/** The rule to try. Neither its switch nor its title matters, so typing another title requests nothing. */
export function triedRule({ type, kind, thresholdUnit: unit }: RuleName, values: RuleValues): NewCondition {
  return { type, kind, thresholdUnit: unit, ...fieldsOf(values), isEnabled: true, title: 'Tried' }
}
