import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, mostBodyBytes } from '../../src/contract/endpoint.ts'

const mebibyte = 1024 * 1024
const contract = path.join(import.meta.dirname, '../../src/contract')

/** Everything that the contract's files declare under a name. */
async function endpoints(): Promise<Endpoint[]> {
  const files = (await readdir(contract, { recursive: true })).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const modules = await Promise.all(
    files.map(async (file) => (await import(pathToFileURL(path.join(contract, file)).href)) as Record<string, unknown>),
  )
  const isEndpoint = (value: unknown): value is Endpoint =>
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
  return modules.flatMap((module) =>
    Object.values(module).flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value).filter(isEndpoint) : [])),
  )
}

const defOf = (schema: z.core.$ZodType) => (schema as z.ZodType).def as z.core.$ZodTypes['_zod']['def']

/** Something that a schema may accept, as short as can be: what surrounds the long text. */
function plain(schema: z.core.$ZodType): unknown {
  const def = defOf(schema)
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).flatMap(([key, part]) => (isOptional(part) ? [] : [[key, plain(part)]])))
    case 'literal':
      return def.values[0]
    case 'enum':
      return Object.values(def.entries)[0]
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'null':
    case 'nullable':
      return null
    case 'pipe':
      return plain(def.in)
    case 'union':
      return plain(def.options[0] as z.core.$ZodType)
    default:
      return 'a'
  }
}
const isOptional = (schema: z.core.$ZodType): boolean => (schema as z.ZodType).safeParse(undefined).success

type Field = { name: string; schema: z.core.$ZodType; with(text: string): unknown }

/** Every place for a text in what a schema accepts. */
function fieldsOf(schema: z.core.$ZodType, name = ''): Field[] {
  const def = defOf(schema)
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, part]) =>
        fieldsOf(part, `${name}.${key}`).map((field) => ({
          ...field,
          with: (text: string) => ({ ...(plain(schema) as object), [key]: field.with(text) }),
        })),
      )
    case 'array':
      return fieldsOf(def.element, `${name}[]`).map((field) => ({ ...field, with: (text: string) => [field.with(text)] }))
    case 'union':
      return def.options.flatMap((option) => fieldsOf(option, name))
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return fieldsOf(def.innerType, name)
    case 'pipe':
      return fieldsOf(def.in, name)
    case 'null':
      return []
    case 'string':
    case 'number':
    case 'boolean':
    case 'literal':
    case 'enum':
      return [{ name, schema, with: (text) => text }]
    default:
      throw new Error(`${name}: ${def.type} isn't known to this test`)
  }
}

type Part = z.core.JSONSchema.BaseSchema

/** Bytes of the longest JSON that a schema accepts; Infinity if it states no limit. */
function mostBytes({ type, anyOf, oneOf, properties = {}, items, maxItems = Infinity, maxLength, format, ...rest }: Part): number {
  const options = [...(anyOf ?? []), ...(oneOf ?? [])] as Part[]
  if (options.length > 0) return Math.max(...options.map(mostBytes))
  const values = rest.enum ?? (rest.const === undefined ? undefined : [rest.const])
  if (values) return Math.max(...values.map((value) => JSON.stringify(value).length))
  if (type === 'object') return Object.entries(properties).reduce((sum, [key, part]) => sum + key.length + 4 + mostBytes(part as Part), 2)
  if (type === 'array') return 2 + maxItems * (1 + mostBytes(items as Part))
  // Limits count characters, which have up to four bytes in UTF-8; until it is cleaned, a text may have twice as many.
  if (type === 'string') return 2 + 8 * (maxLength ?? (format === 'date' ? 10 : Infinity))
  return 25
}

/** Functions of a text that take no longer the longer it is. */
const constant = new Set([
  'constructor',
  'at',
  'charAt',
  'charCodeAt',
  'codePointAt',
  'slice',
  'substring',
  'toString',
  'valueOf',
  'length',
])

/** With this, zod counts a text's characters; the rest of that is a loop of some milliseconds per megabyte. */
const lengthProbe = /[\uD800-\uDBFF]/.source

/** How many characters the functions of texts and expressions get to read while `work` runs. */
function charactersRead(work: () => void): number {
  let read = 0
  const monitored: [object, string, PropertyDescriptor][] = []
  const watch = (prototype: object, names: readonly string[]) => {
    for (const name of names) {
      const before = Object.getOwnPropertyDescriptor(prototype, name)
      const original = before?.value as unknown
      if (!before || typeof original !== 'function') continue
      monitored.push([prototype, name, before])
      Object.defineProperty(prototype, name, {
        ...before,
        value(this: unknown, ...args: unknown[]) {
          const isLength = this instanceof RegExp && this.source === lengthProbe
          for (const value of isLength ? [] : [this, ...args]) if (typeof value === 'string') read += value.length
          return Reflect.apply(original, this, args)
        },
      })
    }
  }
  watch(
    String.prototype,
    Object.getOwnPropertyNames(String.prototype).filter((name) => !constant.has(name)),
  )
  watch(RegExp.prototype, ['exec', 'test'])
  const { URLSearchParams: searchParams } = globalThis
  globalThis.URLSearchParams = class extends searchParams {
    constructor(...args: ConstructorParameters<typeof searchParams>) {
      super(...args)
      if (typeof args[0] === 'string') read += args[0].length
    }
  }
  try {
    work()
  } finally {
    globalThis.URLSearchParams = searchParams
    for (const [prototype, name, before] of monitored) Object.defineProperty(prototype, name, before)
  }
  return read
}

/** A date's expression ends after ten characters, whatever follows. */
const isDate = (schema: z.core.$ZodType): boolean => {
  const def = defOf(schema)
  return 'format' in def && def.format === 'date'
}

const texts = ['a&', 'a\n', '.', ' ', '1', 'query contains a\n'].map((filler) => filler.repeat(mebibyte / filler.length))

test('a text of 1 MiB in any field of any request is refused before anything but its length is looked at', async () => {
  const wrong: string[] = []
  let fields = 0
  for (const { method, path: at, body, query } of await endpoints())
    for (const part of [body, query])
      for (const field of part ? fieldsOf(part) : []) {
        fields += 1
        // Once before: an object's first parse compiles it.
        ;(part as z.ZodType).safeParse(field.with('a'))
        for (const text of texts) {
          const given = field.with(text)
          let passed = false
          const read = charactersRead(() => {
            const { success, data } = (part as z.ZodType).safeParse(given)
            // A parameter that only says where to return to is dropped.
            passed = success && JSON.stringify(data).length > mebibyte / 2
          })
          if (passed) wrong.push(`${method} ${at} ${field.name}: accepted`)
          else if (read > 64 * 1024 && !isDate(field.schema)) wrong.push(`${method} ${at} ${field.name}: ${read} characters read`)
        }
      }
  expect([...new Set(wrong.map((each) => each.replace(/\d+ characters/, 'its characters')))]).toEqual([])
  expect(fields).toBeGreaterThan(200)
})

test('a request’s body is at most 64 KiB unless its endpoint says that it needs more', async () => {
  const tooSmall = (await endpoints()).flatMap(({ method, path: at, body, bodyBytes }) => {
    const needed = body ? mostBytes(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })) : 0
    return needed <= mostBodyBytes || (bodyBytes !== undefined && Number.isFinite(needed)) ? [] : [`${method} ${at}: ${needed}`]
  })
  expect(tooSmall).toEqual([])
})
