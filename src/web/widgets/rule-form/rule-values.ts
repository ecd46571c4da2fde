import { z } from 'zod'
import { type AlertCondition, conditionChange, type ConditionChange, type Monitor } from '../../../contract/alerts/conditions.ts'
import { type Condition, defaultOf } from '../../../core/alerting/defaults.ts'
import { ApiFailure } from '../../api/client.ts'

const limits = conditionChange.shape

/** The editable fields of every rule (SPEC §5). */
export const ruleFields = z.object({
  isEnabled: z.boolean(),
  direction: limits.direction.unwrap(),
  onlyUnusual: z.boolean(),
  monitor: limits.monitor.unwrap(),
  /** Pages or queries, one per line. */
  targets: z.string().superRefine((text, context) => {
    const problem = limits.targets.safeParse(linesOf(text)).error?.issues[0]
    if (problem) context.addIssue({ code: 'custom', message: problem.message })
  }),
  searchType: limits.searchType.unwrap(),
  /** A segment's id; null for none. */
  segment: limits.segment.unwrap(),
  threshold: limits.threshold.unwrap(),
  /** Null for types without one. */
  comparison: limits.comparison.unwrap().nullable(),
  minimumImpressions: limits.minimumImpressions.unwrap().nullable(),
  sensitivity: limits.sensitivity.unwrap().nullable(),
})
const percent = z.number('Enter a number').max(100, { error: "A percentage can't be over 100", abort: true })
/** Same with a percentage as the threshold. */
export const percentFields = ruleFields.extend({ threshold: percent.pipe(limits.threshold.unwrap()) })
export type RuleValues = z.infer<typeof ruleFields>

/** The fields that can be invalid. */
export const checkedFields = ['targets', 'searchType', 'segment', 'threshold', 'minimumImpressions'] as const
export type CheckedField = (typeof checkedFields)[number]

/** A stored rule with its type's defaults for missing values. */
export function conditionOf(rule: AlertCondition): Condition {
  const usual = defaultOf(rule.type, rule.kind)
  return {
    ...rule,
    segment: rule.segment ?? null,
    comparison: rule.comparison ?? usual.comparison,
    minimumImpressions: rule.minimumImpressions ?? usual.minimumImpressions,
    sensitivity: rule.sensitivity ?? usual.sensitivity,
  }
}

export const valuesOf = ({ targets, ...condition }: Omit<Condition, 'type' | 'kind' | 'title' | 'thresholdUnit'>): RuleValues => ({
  isEnabled: condition.isEnabled,
  direction: condition.direction,
  onlyUnusual: condition.onlyUnusual,
  monitor: condition.monitor,
  targets: targets.join('\n'),
  searchType: condition.searchType,
  segment: condition.segment,
  threshold: condition.threshold,
  comparison: condition.comparison,
  minimumImpressions: condition.minimumImpressions,
  sensitivity: condition.sensitivity,
})

/** The values as API fields. */
export function fieldsOf<Values extends RuleValues>({
  targets,
  comparison,
  minimumImpressions,
  sensitivity,
  ...values
}: Values): ConditionChange {
  return {
    ...values,
    targets: linesOf(targets),
    ...(comparison !== null && { comparison }),
    ...(minimumImpressions !== null && { minimumImpressions }),
    ...(sensitivity !== null && { sensitivity }),
  }
}

/** The changed fields. */
export function changesOf<Values extends RuleValues>(before: Values, after: Values): ConditionChange {
  const was = new Map(Object.entries(fieldsOf(before)).map(([field, value]) => [field, JSON.stringify(value)]))
  return Object.fromEntries(Object.entries(fieldsOf(after)).filter(([field, value]) => was.get(field) !== JSON.stringify(value)))
}

/** The rule field that the server refused. */
export function refusedField<Field extends string>(error: unknown, fields: readonly Field[]): Field | undefined {
  const name = error instanceof ApiFailure ? error.problem?.field?.split('.')[0] : undefined
  return fields.find((field) => field === name)
}

type Targets = Pick<RuleValues, 'monitor' | 'targets'>

/** The pages and the keywords typed so far: monitoring something else keeps them, and neither become the other. */
export function createTypedTargets() {
  const typed = new Map<Monitor, string>()
  /** The targets for another choice: as they were when it was left, else as saved. */
  return (left: Targets, chosen: Monitor, saved: Targets): string => {
    typed.set(left.monitor, left.targets)
    return typed.get(chosen) ?? (chosen === saved.monitor ? saved.targets : '')
  }
}

/** Each line once, without empty ones. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}
