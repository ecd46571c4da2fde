import type { AlertCondition, ConditionType } from '../../../contract/alerts/conditions.ts'
import { type Condition, fourConditions } from '../../../core/alerting/defaults.ts'
import { conditionOf } from '../../widgets/rule-form/rule-values.ts'

/** One of the four cards: its rule, or the defaults for a new one of its type. */
export type RuleCard = { type: ConditionType; rule: AlertCondition | null; condition: Condition }

/** The first of several rules with one type has the card. */
export function cardsOf(rules: readonly AlertCondition[]): RuleCard[] {
  return fourConditions.map((usual) => {
    const rule = rules.find(({ type, kind }) => type === usual.type && kind === usual.kind) ?? null
    return { type: usual.type, rule, condition: rule === null ? usual : conditionOf(rule) }
  })
}

/** Rules without a card. */
export function otherRules(rules: readonly AlertCondition[]): AlertCondition[] {
  const shown = new Set(cardsOf(rules).map(({ rule }) => rule?.id))
  return rules.filter(({ id }) => !shown.has(id))
}
