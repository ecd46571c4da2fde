import type { AlertCondition, ConditionType } from '../../../contract/alerts/conditions.ts'
import { type Condition, fourConditions } from '../../../core/alerting/defaults.ts'
import { conditionOf } from '../../widgets/rule-form/rule-values.ts'

/** One of the four cards: the rule it shows, or what a new one of its type would be. */
export type RuleCard = { type: ConditionType; rule: AlertCondition | null; condition: Condition }

/** Of several rules of a type the first one has the card. */
export function cardsOf(rules: readonly AlertCondition[]): RuleCard[] {
  return fourConditions.map((usual) => {
    const rule = rules.find(({ type, kind }) => type === usual.type && kind === usual.kind) ?? null
    return { type: usual.type, rule, condition: rule === null ? usual : conditionOf(rule) }
  })
}

/** Rules that have no card. */
export function otherRules(rules: readonly AlertCondition[]): AlertCondition[] {
  const shown = new Set(cardsOf(rules).map(({ rule }) => rule?.id))
  return rules.filter(({ id }) => !shown.has(id))
}
