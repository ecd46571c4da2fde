import { z } from 'zod'
import {
  type AlertCondition,
  alertCondition,
  comparison,
  type ConditionChange,
  conditionKind,
  conditionType,
  direction,
  monitor,
  type NewCondition,
  sensitivity,
  thresholdUnit,
} from '../../../contract/alerts/conditions.ts'
import { searchType } from '../../../contract/common.ts'
import { type Condition, defaultConditions, defaultOf, withDefaults } from '../../../core/alerting/defaults.ts'
import { comparisonOptions, conditionProblem, iconOf, monitorOptions } from '../../../core/alerting/options.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { type ConditionRow, type ConditionsStore, mostConditions, targetsOf } from './conditions-store.ts'
import type { RuleScopes } from './scopes.ts'
import { daysAgo, ratedDays } from '../unusual/proposals.ts'
import type { Verdicts } from '../incidents/verdicts.ts'

type Property = { id: number; name: string }
/** Stores a checked rule. */
type Change = (trx?: Db) => Promise<AlertCondition>

const copySuffix = ' (copy)'
const titleLength = 120

type ConditionsDeps = { store: ConditionsStore; scopes: RuleScopes; verdicts: Pick<Verdicts, 'counts'>; clock: Clock }

/** The rules of a property (SPEC §3, §5, §9). */
export function createConditions({ store, scopes, verdicts, clock }: ConditionsDeps) {
  type Row = ConditionRow & { property: string }
  async function views(rows: readonly Row[], trx?: Db): Promise<AlertCondition[]> {
    const ids = rows.map(({ id }) => id)
    const rated = await verdicts.counts(ids, daysAgo(ratedDays, clock.now()), trx)
    return rows.map((row) => viewOf(row, rated.get(row.id)))
  }
  async function view(row: Row, trx?: Db): Promise<AlertCondition> {
    const [shown = viewOf(row)] = await views([row], trx)
    return shown
  }

  async function add(property: Property, condition: Condition, trx?: Db): Promise<AlertCondition> {
    const row = await store.create(property.id, condition, clock.now(), trx)
    if (!row) throw new Refusal(409, `A property can have up to ${mostConditions} rules.`)
    return viewOf({ ...row, property: property.name })
  }

  /**
   * Checks a new rule, which may ask both stores. What it returns creates the rule; in a transaction, it uses no other connection.
   * @throws Refusal 400 with the field; the creation 409 if there are too many
   */
  async function creation(property: Property, given: NewCondition): Promise<Change> {
    const condition = completed(given)
    await scopes.of(property, condition)
    return async (trx) => {
      // The default rules come before any other, whichever screen is opened first.
      await store.ensureDefaults([property.id], defaultConditions, clock.now(), trx)
      return add(property, condition, trx)
    }
  }

  /** The same for a change. @throws Refusal 400 with the field, 404 if it isn't theirs; the change 409 if none can fix it */
  async function changing(userId: string, id: string, change: ConditionChange): Promise<Change> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    if (Object.keys(given).length === 0) throw new Refusal(400, 'Include at least one field to change.')
    if (given.segment !== undefined && given.segment !== null) {
      const before = await store.load(userId, id)
      if (!before) throw notYours()
      await scopes.of({ id: before.propertyId, name: before.property }, checked({ ...conditionOf(before), ...given }))
    }
    return async (trx) => {
      const row = await store.change(userId, id, (stored) => checked({ ...conditionOf(stored), ...given }), clock.now(), trx)
      if (!row) throw notYours()
      return view(row, trx)
    }
  }

  return {
    async list(property: Property): Promise<AlertCondition[]> {
      await store.ensureDefaults([property.id], defaultConditions, clock.now())
      return views((await store.list(property.id)).map((row) => ({ ...row, property: property.name })))
    },

    /** The rules of all these properties of a person. */
    async all(userId: string, properties: readonly Pick<Property, 'id'>[]): Promise<AlertCondition[]> {
      await store.ensureDefaults(
        properties.map(({ id }) => id),
        defaultConditions,
        clock.now(),
      )
      return views(await store.all(userId))
    },

    /** @throws Refusal 404 if it isn't theirs */
    async one(userId: string, id: string): Promise<AlertCondition> {
      const row = await store.load(userId, id)
      if (!row) throw notYours()
      return view(row)
    },

    creation,
    changing,
    create: async (property: Property, given: NewCondition): Promise<AlertCondition> => (await creation(property, given))(),
    change: async (userId: string, id: string, change: ConditionChange): Promise<AlertCondition> => (await changing(userId, id, change))(),

    /** A copy, turned off until it is edited. @throws Refusal 400 if it is broken, 404, 409 */
    async duplicate(userId: string, id: string): Promise<AlertCondition> {
      const row = await store.load(userId, id)
      if (!row) throw notYours()
      const title = `${row.title.slice(0, titleLength - copySuffix.length)}${copySuffix}`
      return add({ id: row.propertyId, name: row.property }, checked({ ...conditionOf(row), title, isEnabled: false }))
    },

    /** @throws Refusal 404 */
    async remove(userId: string, id: string, trx?: Db): Promise<void> {
      if (!(await store.remove(userId, id, clock.now(), trx))) throw notYours()
    },
  }
}

const notYours = () => new Refusal(404, "This rule doesn't exist or isn't yours.")

/** @throws Refusal 400 with the field */
export const completed = (given: NewCondition): Condition => checked(withDefaults(given))

function checked(condition: Condition): Condition {
  // In a stored rule, no change can fix these fields.
  const fixed = alertCondition.pick({ type: true, kind: true, thresholdUnit: true }).safeParse(condition)
  if (!fixed.success) throw new Refusal(409, "This rule isn't valid. Delete it and create a new one.")
  const problem = conditionProblem(condition)
  if (problem) throw new Refusal(400, problem.message, problem.field)
  const { title, targets } = condition
  if (/\p{Cc}/u.test(title)) throw new Refusal(400, 'The title contains invisible characters', 'title')
  return { ...condition, title: title.toWellFormed(), targets: [...new Set(targets)] }
}

export const conditionOf = (row: ConditionRow): Condition => ({
  type: row.type,
  kind: row.kind,
  title: row.title,
  isEnabled: row.isEnabled,
  direction: row.direction,
  onlyUnusual: row.onlyUnusual,
  monitor: row.monitor,
  searchType: row.searchType,
  targets: targetsOf(row),
  segment: row.segmentId === null ? null : String(row.segmentId),
  threshold: row.threshold,
  thresholdUnit: row.thresholdUnit,
  comparison: row.comparison,
  minimumImpressions: row.minimumImpressions,
  sensitivity: row.sensitivity,
})

const usual = defaultOf('clicks', 'change')
const understood = z.object({
  type: conditionType.catch(usual.type),
  kind: conditionKind.catch(usual.kind),
  direction: direction.catch(usual.direction),
  searchType: searchType.catch(usual.searchType),
  monitor: monitor.catch(usual.monitor),
  thresholdUnit: thresholdUnit.catch(usual.thresholdUnit),
  comparison: comparison.nullable().catch(usual.comparison),
  sensitivity: sensitivity.nullable().catch(usual.sensitivity),
})

/** A rule as shown: a field with an unknown value shows its default, along with the rule's problem. */
const viewOf = (row: ConditionRow & { property: string }, rated?: AlertCondition['rated']): AlertCondition => ({
  ...fieldsOf({ ...row, ...understood.parse(row) }),
  ...(rated && { rated }),
})

const fieldsOf = (row: ConditionRow & { property: string }): AlertCondition => ({
  id: String(row.id),
  property: row.property,
  type: row.type,
  kind: row.kind,
  title: row.title,
  icon: iconOf(row.type),
  isEnabled: row.isEnabled,
  direction: row.direction,
  onlyUnusual: row.onlyUnusual,
  monitor: row.monitor,
  monitorOptions: [...monitorOptions(row)],
  searchType: row.searchType,
  targets: targetsOf(row),
  ...(row.segmentId !== null && { segment: String(row.segmentId), ...(row.segmentName !== null && { segmentName: row.segmentName }) }),
  threshold: row.threshold,
  thresholdUnit: row.thresholdUnit,
  ...(row.comparison !== null && { comparison: row.comparison, comparisonOptions: [...comparisonOptions] }),
  ...(row.minimumImpressions !== null && { minimumImpressions: row.minimumImpressions }),
  ...(row.sensitivity !== null && { sensitivity: row.sensitivity }),
  problem: row.problem,
  leftOut: row.leftOut,
})

/** The field of a stored rule with an unknown value; null if there is none. */
function unsoundField(row: ConditionRow): PropertyKey | null {
  const condition = conditionOf(row)
  const parsed = alertCondition
    .pick({ type: true, kind: true, direction: true, monitor: true, searchType: true, threshold: true, thresholdUnit: true })
    .safeParse(condition)
  return (parsed.success ? conditionProblem(condition)?.field : parsed.error.issues[0]?.path[0]) ?? null
}
export const isSound = (row: ConditionRow): boolean => unsoundField(row) === null

/** A stored rule as evaluation uses it. @throws Error that names the field with an unknown value */
export function soundCondition(row: ConditionRow): Condition {
  const field = unsoundField(row)
  if (field !== null) throw new Error(`its ${String(field)} is invalid`)
  return conditionOf(row)
}
