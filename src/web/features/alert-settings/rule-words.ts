import type { AlertCondition } from '../../../contract/alert-conditions.ts'
import type { Condition } from '../../../core/alerting/defaults.ts'
import { ruleOf } from '../../../core/alerting/options.ts'

/** SPEC §5. */
export const thresholdLabel = (condition: Condition): string => (isIncrease(condition) ? 'Alert when increases by' : 'Alert when drops by')

/** As the server judges it. */
function isIncrease(rule: Condition | AlertCondition): boolean {
  const { comparison = null, minimumImpressions = null } = rule
  return ruleOf('', { ...rule, comparison, minimumImpressions }).direction === 'better'
}

/** What stands behind the figure. */
export const thresholdUnit = ({ thresholdUnit: unit }: Pick<Condition, 'thresholdUnit'>): string => `${unit} or more`

/** A rule without its card, in a line: "Whole site · drops by 15% or more". */
export function ruleSummary(rule: AlertCondition): string {
  const about = rule.monitorOptions.find(({ value }) => value === rule.monitor)?.label ?? rule.monitor
  return `${about} · ${conditionOf(rule)}`
}

function conditionOf(rule: AlertCondition): string {
  switch (rule.kind) {
    case 'change':
      return `${isIncrease(rule) ? 'increases' : 'drops'} by ${rule.threshold}${rule.thresholdUnit === '%' ? '' : ' '}${thresholdUnit(rule)}`
    case 'new_query':
    case 'new_page':
      return `new among the first ${rule.threshold} positions`
    case 'lost_query':
      return `no longer among the first ${rule.threshold} positions`
  }
}
