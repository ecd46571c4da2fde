import type { JsonSchema } from './schemas.ts'
import { fieldWords } from './words.ts'

type Words = Readonly<Record<string, string>>

/** Written as somebody would write it who wants to be read, with what fields mean. */
export function tidied(schema: JsonSchema, words: Words = fieldWords): JsonSchema {
  const { anyOf, properties, items, pattern, minimum, maximum, additionalProperties: _closed, ...rest } = schema
  const choices = anyOf?.flatMap(({ const: value }) => (value === undefined ? [] : [value]))
  return {
    ...rest,
    // A format says what the pattern of a date does, and is understood. Objects may gain fields, so none is closed.
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
    // Every number of JSON lies within these.
    ...(typeof minimum === 'number' && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(typeof maximum === 'number' && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(anyOf &&
      (choices?.length === anyOf.length
        ? { type: typeof choices[0], enum: choices }
        : { anyOf: anyOf.map((each) => tidied(each, words)) })),
    ...(items && { items: tidied(items, words) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withWords(tidied(each, words), words[name])])),
    }),
  }
}

function withWords(schema: JsonSchema, words: string | undefined): JsonSchema {
  const description = schema.description ?? words
  return description === undefined ? schema : { ...schema, description }
}
