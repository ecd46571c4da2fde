import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import type { Direction } from '../../../contract/alerts/conditions.ts'
import { comparisonOptions, sensitivityOptions } from '../../../core/alerting/options.ts'
import { metricLabels } from '../../lib/metric.ts'

type Words = Pick<Condition, 'kind' | 'direction' | 'thresholdUnit'>

/** What stands before the threshold (SPEC §5). Of what is new or gone, it is the last position that counts. */
export function thresholdLabel({ kind, direction }: Words): string {
  switch (kind) {
    case 'change':
    case 'unusual':
      return `Alert when ${verbs[direction]} by`
    case 'new_query':
    case 'new_page':
      return 'Alert when new in the top'
    case 'lost_query':
      return 'Alert when out of the top'
  }
}

/** What stands behind it. */
export const thresholdUnit = ({ kind, thresholdUnit: unit }: Omit<Words, 'direction'>): string =>
  kind === 'change' || kind === 'unusual' ? `${unit} or more` : 'positions'

const verbs: Record<Direction, string> = { falls: 'drops', rises: 'increases', both: 'changes' }
const directions: Record<Direction, string> = { falls: 'unusually low', rises: 'unusually high', both: 'unusually low or high' }

/** A rule without its card, in a line: "Clicks · Whole site · drops by 15% or more vs previous 7 days". */
export function ruleSummary(rule: AlertCondition): string {
  const about = rule.monitorOptions.find(({ value }) => value === rule.monitor)?.label ?? rule.monitor
  const isFigure = rule.kind === 'change' || rule.kind === 'unusual'
  return [...(isFigure ? [metricLabels[rule.type]] : []), about, changeOf(rule)].join(' · ')
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

/** Why a rule finds nothing, however the figures change; null when it watches something. */
export function watchesNothing(monitor: Condition['monitor'], targets: readonly string[]): string | null {
  if ((monitor !== 'pages' && monitor !== 'queries') || targets.length > 0) return null
  return `No ${monitor} added yet, so this rule watches nothing yet.`
}
