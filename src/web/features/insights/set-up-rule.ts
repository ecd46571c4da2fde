import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import type { AlertTemplate } from '../../../contract/alerts/templates.ts'
import { withDefaults } from '../../../core/alerting/defaults.ts'

const criteria = ['type', 'kind', 'monitor', 'direction', 'searchType'] as const

/** The rule that already monitors what a template would, of no other search type or segment; its threshold and title may have changed. */
export function setUpRule(rules: readonly AlertCondition[], template: AlertTemplate): AlertCondition | undefined {
  const wanted = withDefaults(template.condition)
  return rules.find((rule) => rule.segment === undefined && criteria.every((each) => rule[each] === wanted[each]))
}
