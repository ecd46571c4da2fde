import type { JsonSchema } from './route-table.ts'

/** What a user owns, by the names that requests use for it. */
export type Belongings = {
  property: string
  client: string
  alert: string
  /** What to write wherever any text fits. */
  text?: string
}

/** A part of a request that fits its schema. `names` tells whether it refers to something that belongs to a user. */
export type Sample = { value: unknown; names: boolean }

/**
 * Values that fit a schema: one for each of its alternatives, referring to the given belongings wherever possible. Otherwise as little as
 * allowed.
 * @throws Error for a schema that nothing here fits
 */
export function samplesOf(schema: JsonSchema, belongings: Belongings, name = ''): Sample[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) {
    const samples = alternatives.flatMap((one) => samplesOf(one as JsonSchema, belongings, name))
    const naming = samples.filter(({ names }) => names)
    return naming.length > 0 ? naming : samples.slice(0, 1)
  }
  if (schema.const !== undefined) return plain(schema.const)
  if (schema.enum) return plain(schema.enum[0])
  switch (schema.type) {
    case 'object':
      return objects(schema, belongings)
    case 'array': {
      const items = typeof schema.items === 'object' && !Array.isArray(schema.items) ? (schema.items as JsonSchema) : {}
      return samplesOf(items, belongings, name).map(({ value, names }) => ({ value: [value], names }))
    }
    case 'string':
      return strings(schema, belongings, name)
    case 'integer':
    case 'number':
      return plain(schema.default ?? schema.minimum ?? Number(schema.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return plain(false)
    case 'null':
      return plain(null)
    default:
      return plain('anything')
  }
}

const plain = (value: unknown): Sample[] => [{ value, names: false }]

function objects({ properties = {}, required = [] }: JsonSchema, belongings: Belongings): Sample[] {
  let made: { value: Record<string, unknown>; names: boolean }[] = [{ value: {}, names: false }]
  const parts = Object.entries(properties).map(([key, part]) => [key, samplesOf(part as JsonSchema, belongings, key)] as const)
  const needed = parts.filter(([key, samples]) => required.includes(key) || samples.some(({ names }) => names))
  // Some routes reject an empty request before they look at anything.
  for (const key of Object.keys(properties)) mustBeKnown(key)
  for (const [key, samples] of needed.length > 0 ? needed : parts.slice(0, 1)) {
    made = made.flatMap((one) => samples.map(({ value, names }) => ({ value: { ...one.value, [key]: value }, names: one.names || names })))
  }
  return made
}

/** Names that requests use for a user's belongings. */
const speaksOf: Record<string, Exclude<keyof Belongings, 'text'>> = {
  property: 'property',
  selectedProperty: 'property',
  properties: 'property',
  sites: 'property',
  client: 'client',
  // From an MCP tool; other ids are named in the path.
  id: 'alert',
  ids: 'alert',
  alertId: 'alert',
}

/** Otherwise a new name for an id would be tested with ids of nothing, and leaks about somebody else go unnoticed. */
function mustBeKnown(name: string): void {
  if (name in speaksOf || !/(?:^id|Id|_id)s?$/.test(name)) return
  throw new Error(`Whose is "${name}"? Say in test/support/made-requests.ts what of somebody's it speaks of.`)
}

/** Texts of every kind that requests take; the first that fits is used. */
const texts = ['somebody-else', '123456', '1', 'somebody@else.example', '2026-03-10', '2026-04-01T00:00:00Z', '#123456', '12:00', 'en']

function strings({ pattern, allOf = [], minLength = 0, maxLength = Infinity }: JsonSchema, belongings: Belongings, name: string): Sample[] {
  const owned = speaksOf[name]
  if (owned) return [{ value: belongings[owned], names: true }]
  if (/mail|recipients/i.test(name)) return plain('somebody@else.example')
  if (name === 'number') return plain('+442079460000')
  // Filters of the explorer.
  if (name === 'content') return plain('query contains lamp')
  const patterns = [pattern, ...allOf.map((one) => (one as JsonSchema).pattern)].filter((one) => one !== undefined)
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && patterns.every((one) => new RegExp(one, 'u').test(text))
  const fitting = [belongings.text ?? [], texts].flat().find(fits)
  if (fitting === undefined)
    throw new Error(`No text here fits "${name}": ${patterns.join(' and ')}. Add one to test/support/made-requests.ts.`)
  return plain(fitting)
}
