import type { IsoDate } from '../../../contract/common.ts'
import { isHourly } from '../../../core/alerting/hours/hourly.ts'
import { ruleOf } from '../../../core/alerting/options.ts'
import type { Rule } from '../../../core/alerting/rule.ts'
import { addDays } from '../../../core/analytics/days.ts'
import type { Log } from '../../platform/log.ts'
import { soundCondition } from '../rules/conditions.ts'
import type { ConditionRow } from '../rules/conditions-store.ts'

/** Rules that hours can answer. */
export const hourlyRules = (rows: readonly ConditionRow[], log: Log): { condition: ConditionRow; rule: Rule }[] =>
  rows.flatMap((condition) => {
    const rule = soundRule(condition, log)
    return rule !== null && isHourly(rule) ? [{ condition, rule }] : []
  })

/** Null for a broken rule, which the daily evaluation reports to its owner. */
export function soundRule(condition: ConditionRow, log: Log): Rule | null {
  try {
    return ruleOf(String(condition.id), soundCondition(condition))
  } catch (error) {
    log.debug({ err: error, condition: condition.id }, 'skipping an invalid rule in the hourly evaluation')
    return null
  }
}

/** A day, and the first to the last of the days it is compared with. */
export const windowsOf = (day: IsoDate, weeks: number) => ({
  current: { start: day, end: day },
  base: { start: addDays(day, -7 * weeks), end: addDays(day, -7) },
  scale: 1,
})
