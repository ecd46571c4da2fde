import { z } from 'zod'
import { backtestAnswer, conditionChange, newCondition } from '../../../contract/alerts/conditions.ts'
import { snooze } from '../../../contract/alerts/alerts.ts'
import { analyticsDays, analyticsSummary } from '../../../contract/analytics.ts'
import { dayFigures, figures } from '../../../contract/figures.ts'
import { incident, newNote, note, noteChange } from '../../../contract/annotations.ts'
import { apiAlert, apiAlertReport, apiCondition } from '../../../contract/api-v1/alerts.ts'
import { problem } from '../../../contract/api-v1/problems.ts'
import { keyword, opportunity } from '../../../contract/keywords.ts'
import { metrics, period } from '../../../contract/metrics.ts'
import type { Operation } from '../operation.ts'
import { tidied } from './tidy.ts'

/** A JSON Schema 2020-12 schema, limited to what we use. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  [keyword: string]: unknown
}

/** Schemas shared by several answers, by their name in the document. */
const shared: Readonly<Record<string, z.ZodType>> = {
  Alert: apiAlert,
  AlertReport: apiAlertReport,
  Annotation: note,
  Backtest: backtestAnswer,
  Condition: apiCondition,
  DayFigures: dayFigures,
  Figures: figures,
  Incident: incident,
  Keyword: keyword,
  Metrics: metrics,
  Opportunity: opportunity,
  Period: period,
  Problem: problem,
  Series: analyticsDays,
  Summary: analyticsSummary,
}

const bodies: Readonly<Record<string, z.ZodType>> = {
  AnnotationChange: noteChange,
  ConditionChange: conditionChange,
  NewAnnotation: newNote,
  NewCondition: newCondition,
  Snooze: snooze,
}

const address = (name: string): string => `#/components/schemas/${name}`

/** The document's components, and where it has an operation's body and answer. */
export function schemasOf(operations: readonly Operation[]) {
  const answers = new Map(Object.entries(shared).map(([name, schema]) => [schema, name]))
  const inputs = new Map(Object.entries(bodies).map(([name, schema]) => [schema, name]))
  for (const { id, body, answers: answer } of operations) {
    if (answer.kind === 'json' && !answers.has(answer.schema)) answers.set(answer.schema, `${capitalised(id)}Answer`)
    if (body && !inputs.has(body)) inputs.set(body, `${capitalised(id)}Body`)
  }
  const found = (names: ReadonlyMap<z.ZodType, string>) => (schema: z.ZodType) => {
    const name = names.get(schema)
    if (name === undefined) throw new Error('A schema of an operation has no name')
    return { $ref: address(name) }
  }
  return {
    components: { ...componentsOf(answers, 'output'), ...componentsOf(inputs, 'input') },
    refOfAnswer: found(answers),
    refOfBody: found(inputs),
  }
}

function componentsOf(names: ReadonlyMap<z.ZodType, string>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { target: 'draft-2020-12', io, unrepresentable: 'any', uri: address })
  return Object.fromEntries(
    Object.entries(schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, tidied(schema as JsonSchema)]),
  )
}

/** A parameter's own schema: its URL form, with its default. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'output',
    unrepresentable: 'any',
    override: readAsWritten,
  })
  return tidied(made as JsonSchema)
}

type Overridden = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]

/** For text that is transformed, the written form counts. */
function readAsWritten({ zodSchema, jsonSchema }: Overridden): void {
  if (!(zodSchema instanceof z.ZodPipe) || !(zodSchema.out instanceof z.ZodTransform)) return
  if (zodSchema.in instanceof z.ZodType) Object.assign(jsonSchema, parameterSchema(zodSchema.in))
}

const capitalised = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`
