import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { type JsonSchema, parameterSchema } from './schemas.ts'
import { parameterWords } from './copy.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}

/** The path and query parameters of an operation. */
export function parametersOf({ params, query, example }: Operation): Parameter[] {
  return [
    ...partsOf(params, 'path', example.params ?? {}),
    ...partsOf(query, 'query', example.query ?? {}).toSorted((a, b) => Number(b.required) - Number(a.required)),
  ]
}

function partsOf(schema: z.ZodObject | null, place: 'path' | 'query', example: Record<string, unknown>): Parameter[] {
  const shape: Record<string, z.ZodType> = schema ? z.record(z.string(), z.instanceof(z.ZodType)).parse(schema.shape) : {}
  return Object.entries(shape).map(([name, part]) => {
    const description = parameterWords[name]
    if (description === undefined) throw new Error(`The parameter ${name} has no description`)
    const required = place === 'path' || !part.safeParse(undefined).success
    return {
      name,
      in: place,
      required,
      description,
      schema: parameterSchema(part),
      ...(example[name] !== undefined && { example: example[name] }),
    }
  })
}
