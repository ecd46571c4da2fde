import { z } from 'zod'
import { wrongParam } from './errors.ts'
import type { Form } from './form.ts'

// Parameters are strings. An empty one unsets what can be unset, and is refused elsewhere.
export const text = z.string().min(1)
export const unsettable = z.string().transform((value) => (value === '' ? null : value))
export const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const moment = z.union([z.literal('now'), integer])
/** `''` unsets all of it, an empty value one key. */
export const metadata = z.union([z.literal(''), z.record(z.string(), z.string())])
export const expand = z.array(text).optional()

export const paging = {
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: z.union([integer, z.strictObject({ gt: integer, gte: integer, lt: integer, lte: integer }).partial()]).optional(),
  expand,
}

/** Parses parameters, or refuses them in Stripe's words. */
export function parseParams<T extends z.ZodType>(schema: T, form: Form): z.output<T> {
  const result = schema.safeParse(form)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  const given = valueAt(form, issue.path)
  throw refusal(issue, given)
}

type Issue = z.core.$ZodIssue

/** Of a union, the branch that got furthest, since the others weren't meant. */
function deepest(issues: readonly Issue[], above: readonly PropertyKey[] = []): Issue {
  const [first] = issues
  if (first === undefined) throw new Error('a refusal without a reason')
  const path = [...above, ...first.path]
  if (first.code === 'invalid_union') {
    const branches = first.errors.filter((branch) => branch.length > 0).map((branch) => deepest(branch, path))
    const best = branches.sort((a, b) => b.path.length - a.path.length)[0]
    if (best !== undefined && best.path.length > path.length) return best
    return branches.at(-1) ?? { ...first, path }
  }
  return { ...first, path }
}

function valueAt(form: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), form)
}

function nameOf(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path.map(String)
  return `${first ?? ''}${rest.map((part) => `[${part}]`).join('')}`
}

function refusal(issue: Issue, given: unknown): Error {
  const name = nameOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const unknown = nameOf([...issue.path, issue.keys[0] ?? ''])
    return wrongParam(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown')
  }
  if (given === undefined) return wrongParam(`Missing required param: ${name}.`, name, 'parameter_missing')
  if (given === '') {
    return wrongParam(
      `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
      name,
      'parameter_invalid_empty',
    )
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    if (values.join() === 'true,false') return wrongParam(`Invalid boolean: ${String(given)}`, name)
    const choice = values.length > 1 ? `one of ${values.slice(0, -1).join(', ')}, or ${values.at(-1)}` : String(values[0])
    return wrongParam(`Invalid ${name}: must be ${choice}`, name)
  }
  if (issue.code === 'invalid_format') return wrongParam(`Invalid integer: ${String(given)}`, name, 'parameter_invalid_integer')
  if (issue.code === 'invalid_type' && issue.expected === 'array') return wrongParam('Invalid array', name)
  if (issue.code === 'invalid_type' && issue.expected !== 'string') return wrongParam('Invalid object', name)
  if (issue.code === 'invalid_type') return wrongParam('Invalid string: expected text, got a hash or a list', name)
  return wrongParam(`Invalid ${name}: ${issue.message}`, name)
}

/** Metadata after a change: empty values remove their key, an empty string removes all. */
export function mergeMetadata(
  before: Readonly<Record<string, string>>,
  change: z.output<typeof metadata> | undefined,
): Record<string, string> {
  if (change === undefined) return { ...before }
  if (change === '') return {}
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''))
}
