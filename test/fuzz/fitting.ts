import fc from 'fast-check'
import type { JsonSchema } from '../support/route-table.ts'
import { wild } from './wild.ts'

/** Values that requests use under these names: existing things, so that not everything is refused immediately. */
export type Known = Readonly<Record<string, readonly unknown[]>>

/** Values that fit a schema as far as JSON Schema can express it; they may violate a schema's refinements. */
export function fitting(schema: JsonSchema | boolean | undefined, known: Known, name = ''): fc.Arbitrary<unknown> {
  if (schema === undefined || typeof schema === 'boolean') return wild
  const made = byForm(schema, known, name)
  const values = known[name]
  return values && schema.type !== 'object' && schema.type !== 'array' ? fc.oneof(fc.constantFrom(...values), made) : made
}

function byForm(schema: JsonSchema, known: Known, name: string): fc.Arbitrary<unknown> {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((one) => fitting(one as JsonSchema, known, name)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum)
  switch (schema.type) {
    case 'object':
      return objects(schema, known)
    case 'array': {
      const items = fitting(Array.isArray(schema.items) ? undefined : (schema.items as JsonSchema), known, name)
      const minLength = schema.minItems ?? 0
      return fc.array(items, { minLength, maxLength: Math.min(schema.maxItems ?? 5, Math.max(minLength, 5)) })
    }
    case 'string':
      return texts(schema)
    case 'integer':
    case 'number': {
      const min = schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1000 : Number(schema.exclusiveMinimum) + 1)
      const max = schema.maximum ?? Math.max(min, 1000)
      return fc.integer({ min: Math.ceil(Math.max(min, -(2 ** 31))), max: Math.floor(Math.min(max, 2 ** 31)) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return wild
  }
}

function objects({ properties = {}, required = [] }: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const parts = Object.entries(properties).map(([key, part]) => [key, fitting(part as JsonSchema, known, key)] as const)
  return fc.record(Object.fromEntries(parts), { requiredKeys: required.filter((key) => key in properties) })
}

const day = fc.date({ min: new Date('2025-01-01'), max: new Date('2026-12-31'), noInvalidDate: true }).map((at) => at.toISOString())

function texts({ format, pattern, allOf = [], minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date') return day.map((at) => at.slice(0, 10))
  if (format === 'date-time') return day
  if (format === 'email') return fc.constantFrom('somebody@example.test', 'else@example.test')
  const first = [pattern, ...allOf.map((one) => (one as JsonSchema).pattern)].find((one) => one !== undefined)
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 80)) })
  return first === undefined ? plain : matching(first, plain)
}

/** Strings matching a pattern; fast-check supports most patterns. */
function matching(pattern: string, otherwise: fc.Arbitrary<string>): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 })
  } catch {
    return otherwise
  }
}

/** A valid value except for one field, which is random, missing or additional. */
export const nearly = (fits: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(fits, fc.nat(), fc.option(wild, { nil: undefined }), fc.boolean()).map(([value, place, instead, added]) => {
    if (typeof value !== 'object' || value === null) return instead
    const copy = structuredClone(value) as Record<string, unknown>
    const holders = placesOf(copy)
    const [holder, key] = holders[place % Math.max(1, holders.length)] ?? [copy, 'unknown']
    if (added) holder['unknown'] = instead
    else if (instead === undefined) delete holder[key]
    else holder[key] = instead
    return copy
  })

function placesOf(value: Record<string, unknown>): [holder: Record<string, unknown>, key: string][] {
  return Object.entries(value).flatMap(([key, part]) => [
    [value, key],
    ...(typeof part === 'object' && part !== null ? placesOf(part as Record<string, unknown>) : []),
  ])
}

/** What fits, what nearly fits, and what doesn't at all. */
export const anyOf = (schema: JsonSchema | undefined, known: Known): fc.Arbitrary<unknown> => {
  const fits = fitting(schema, known)
  return fc.oneof({ weight: 3, arbitrary: fits }, { weight: 4, arbitrary: nearly(fits) }, { weight: 1, arbitrary: wild })
}
