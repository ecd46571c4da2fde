import type { JsonSchema } from './schemas.ts'
import { fieldWords } from './copy.ts'

type Words = Readonly<Record<string, string>>

/** A schema made readable, with the meaning of its fields. */
export function tidied(schema: JsonSchema, words: Words = fieldWords): JsonSchema {
  const { anyOf, properties, items, pattern, minimum, maximum, additionalProperties: _closed, ...rest } = schema
  const choices = anyOf?.flatMap(({ const: value }) => (value === undefined ? [] : [value]))
  return {
    ...rest,
    // A date's format says the same as its pattern, and is understood. Objects may gain fields, so none is closed.
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
    // Every JSON number is within these.
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
