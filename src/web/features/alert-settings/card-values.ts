import { z } from 'zod'
import type { ConditionType } from '../../../contract/alerts/conditions.ts'
import { defaultOf } from '../../../core/alerting/defaults.ts'
import {
  checkedFields,
  type CheckedField,
  changesOf,
  percentFields,
  ruleFields,
  type RuleValues,
  valuesOf,
} from '../../widgets/rule-form/rule-values.ts'
import type { RuleCard } from './condition-cards.ts'

/** The editable values of the four cards (SPEC §5). */
export const settingsForm = z.object({ clicks: percentFields, ctr: percentFields, impressions: percentFields, position: ruleFields })
export type SettingsValues = Record<ConditionType, RuleValues>

export function settingsOf(cards: readonly RuleCard[]): SettingsValues {
  const of = (type: ConditionType) => valuesOf(cards.find((card) => card.type === type)?.condition ?? defaultOf(type, 'change'))
  return { clicks: of('clicks'), ctr: of('ctr'), impressions: of('impressions'), position: of('position') }
}

/** The cards that differ from what is saved. */
export const changedCards = (cards: readonly RuleCard[], saved: SettingsValues, values: SettingsValues): RuleCard[] =>
  cards.filter(({ type }) => Object.keys(changesOf(saved[type], values[type])).length > 0)

/** Fields that can't be saved as they are. */
export function brokenFields(type: ConditionType, values: RuleValues): CheckedField[] {
  const issues = settingsForm.shape[type].safeParse(values).error?.issues ?? []
  return checkedFields.filter((field) => issues.some(({ path }) => path[0] === field))
}
