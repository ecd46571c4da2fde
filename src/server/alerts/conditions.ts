import { type AlertCondition, alertCondition, type ConditionChange, type NewCondition } from '../../contract/alert-conditions.ts'
import { type Condition, defaultConditions, defaultOf } from '../../core/alerting/defaults.ts'
import { comparisonOptions, conditionProblem, iconOf, monitorOptions } from '../../core/alerting/options.ts'
import { Refusal } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import { type ConditionRow, type ConditionsStore, mostConditions, targetsOf } from './conditions-store.ts'

type Property = { id: number; name: string }

const copySuffix = ' (copy)'
const titleLength = 120

/** The rules of a property (SPEC §3, §5, §9). */
export function createConditions({ store, clock }: { store: ConditionsStore; clock: Clock }) {
  async function add(property: Property, condition: Condition): Promise<AlertCondition> {
    const row = await store.create(property.id, condition, clock.now())
    if (!row) throw new Refusal(409, `A property can have up to ${mostConditions} rules.`)
    return viewOf({ ...row, property: property.name })
  }

  return {
    async list(property: Property): Promise<AlertCondition[]> {
      await store.ensureDefaults([property.id], defaultConditions, clock.now())
      return (await store.list(property.id)).map((row) => viewOf({ ...row, property: property.name }))
    },

    /** @throws Refusal 400 with the field, 409 when there are too many */
    create: (property: Property, given: NewCondition): Promise<AlertCondition> => add(property, completed(given)),

    /** @throws Refusal 400 with the field, 404 when it is not theirs */
    async change(userId: string, id: string, change: ConditionChange): Promise<AlertCondition> {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      if (Object.keys(given).length === 0) throw new Refusal(400, 'Say what is to be changed.')
      const row = await store.change(userId, id, (stored) => checked({ ...conditionOf(stored), ...given }), clock.now())
      if (!row) throw notYours()
      return viewOf(row)
    },

    /** A copy that is switched off until somebody has made it another rule. @throws Refusal 404, 409 */
    async duplicate(userId: string, id: string): Promise<AlertCondition> {
      const row = await store.load(userId, id)
      if (!row) throw notYours()
      const title = `${row.title.slice(0, titleLength - copySuffix.length)}${copySuffix}`
      return add({ id: row.propertyId, name: row.property }, { ...conditionOf(row), title, isEnabled: false })
    },

    /** @throws Refusal 404 */
    async remove(userId: string, id: string): Promise<void> {
      if (!(await store.remove(userId, id, clock.now()))) throw notYours()
    },
  }
}

const notYours = () => new Refusal(404, 'There is no such rule, or it is not yours.')

/** A new rule with the defaults of its type where nothing was chosen. @throws Refusal 400 with the field */
export function completed({ type, kind = 'change', ...given }: NewCondition): Condition {
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return checked({ ...defaultOf(type, kind), isEnabled: true, type, ...chosen })
}

function checked(condition: Condition): Condition {
  const problem = conditionProblem(condition)
  if (problem) throw new Refusal(400, problem.message, problem.field)
  const { title, targets } = condition
  if (/\p{Cc}/u.test(title)) throw new Refusal(400, 'The title holds invisible characters', 'title')
  return { ...condition, title: title.toWellFormed(), targets: [...new Set(targets)] }
}

export const conditionOf = (row: ConditionRow): Condition => ({
  type: row.type,
  kind: row.kind,
  title: row.title,
  isEnabled: row.isEnabled,
  monitor: row.monitor,
  targets: targetsOf(row),
  threshold: row.threshold,
  thresholdUnit: row.thresholdUnit,
  comparison: row.comparison,
  minimumImpressions: row.minimumImpressions,
})

/** A rule as it is shown; a field that holds what is not understood shows its default, beside the rule's problem. */
function viewOf(row: ConditionRow & { property: string }): AlertCondition {
  const view = fieldsOf(row)
  const parsed = alertCondition.safeParse(view)
  if (parsed.success) return view
  const broken = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const usual = Object.entries(defaultOf('clicks', 'change')).filter(([field]) => broken.has(field))
  return { ...view, ...Object.fromEntries(usual) }
}

const fieldsOf = (row: ConditionRow & { property: string }): AlertCondition => ({
  id: String(row.id),
  property: row.property,
  type: row.type,
  kind: row.kind,
  title: row.title,
  icon: iconOf(row.type),
  isEnabled: row.isEnabled,
  monitor: row.monitor,
  monitorOptions: [...monitorOptions(row.kind)],
  targets: targetsOf(row),
  threshold: row.threshold,
  thresholdUnit: row.thresholdUnit,
  ...(row.comparison !== null && { comparison: row.comparison, comparisonOptions: [...comparisonOptions] }),
  ...(row.minimumImpressions !== null && { minimumImpressions: row.minimumImpressions }),
  problem: row.problem,
})

/** A stored rule as it is judged; what is not understood names its field. @throws Error */
export function soundCondition(row: ConditionRow): Condition {
  const condition = conditionOf(row)
  const parsed = alertCondition.pick({ type: true, kind: true, monitor: true, threshold: true, thresholdUnit: true }).safeParse(condition)
  const field = parsed.success ? conditionProblem(condition)?.field : parsed.error.issues[0]?.path[0]
  if (field !== undefined) throw new Error(`its ${String(field)} is not understood`)
  return condition
}
