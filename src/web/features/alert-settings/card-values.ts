import { z } from 'zod'
import { conditionChange, type ConditionChange, type ConditionType } from '../../../contract/alert-conditions.ts'
import type { RuleCard } from './condition-cards.ts'

const limits = conditionChange.shape

const card = z.object({
  isEnabled: z.boolean(),
  monitor: limits.monitor.unwrap(),
  /** Pages or queries, one per line. */
  targets: z.string().superRefine((text, context) => {
    const problem = limits.targets.safeParse(linesOf(text)).error?.issues[0]
    if (problem) context.addIssue({ code: 'custom', message: problem.message })
  }),
  threshold: limits.threshold.unwrap(),
  /** Null where rules of the type have none. */
  comparison: limits.comparison.unwrap().nullable(),
  minimumImpressions: limits.minimumImpressions.unwrap().nullable(),
})
const percent = z.number('Enter a number').max(100, { error: 'A percentage is at most 100', abort: true })
const percentCard = card.extend({ threshold: percent.pipe(limits.threshold.unwrap()) })

/** What can be changed in the four cards (SPEC §5). */
export const settingsForm = z.object({ clicks: percentCard, ctr: percentCard, impressions: percentCard, position: card })
export type CardValues = z.infer<typeof card>
export type SettingsForm = Record<ConditionType, CardValues>

/** The fields of a card that can be wrong. */
export const checkedFields = ['targets', 'threshold', 'minimumImpressions'] as const
export type CheckedField = (typeof checkedFields)[number]

export function formOf(cards: readonly RuleCard[]): SettingsForm {
  return Object.fromEntries(cards.map(({ type, condition }) => [type, valuesOf(condition)])) as SettingsForm
}

const valuesOf = ({ targets, ...condition }: RuleCard['condition']): CardValues => ({
  isEnabled: condition.isEnabled,
  monitor: condition.monitor,
  targets: targets.join('\n'),
  threshold: condition.threshold,
  comparison: condition.comparison,
  minimumImpressions: condition.minimumImpressions,
})

/** What the API calls the values of a card. */
export function fieldsOf({ targets, comparison, minimumImpressions, ...values }: CardValues): ConditionChange {
  return {
    ...values,
    targets: linesOf(targets),
    ...(comparison !== null && { comparison }),
    ...(minimumImpressions !== null && { minimumImpressions }),
  }
}

/** The fields that are other than before. */
export function changesOf(before: CardValues, after: CardValues): ConditionChange {
  const was = new Map(Object.entries(fieldsOf(before)).map(([field, value]) => [field, JSON.stringify(value)]))
  return Object.fromEntries(Object.entries(fieldsOf(after)).filter(([field, value]) => was.get(field) !== JSON.stringify(value)))
}

/** Fields that could not be saved as they are. */
export function brokenFields(type: ConditionType, values: CardValues): CheckedField[] {
  const issues = settingsForm.shape[type].safeParse(values).error?.issues ?? []
  return checkedFields.filter((field) => issues.some(({ path }) => path[0] === field))
}

/** Each line once, without those that are empty. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}
