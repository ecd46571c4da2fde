import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import type { AlertTemplate } from '../../../contract/alerts/templates.ts'
import { withDefaults } from '../../../core/alerting/defaults.ts'

/** The rule that already watches what a template would: its threshold and title may have been changed since. */
export function setUpRule(rules: readonly AlertCondition[], template: AlertTemplate): AlertCondition | undefined {
  const wanted = withDefaults(template.condition)
  return rules.find(
    ({ type, kind, monitor, direction }) =>
      type === wanted.type && kind === wanted.kind && monitor === wanted.monitor && direction === wanted.direction,
  )
}
