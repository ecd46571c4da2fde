import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import { openApiOf, type Response } from './document.ts'
import type { Parameter } from './parameters.ts'

const document = openApiOf(operations, 'https://ranklark.example')
const ajv = new Ajv2020({ strict: false, validateFormats: false })

const written = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, about]) => ({ path, method, about })),
)

/** All internal references in the document. */
function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, each]) => (key === '$ref' && typeof each === 'string' ? [each] : addressesIn(each)))
}

const at = (address: string): unknown =>
  address
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)

test("the document is valid OpenAPI 3.1, by its publisher's schema", async () => {
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('every operation, parameter and response has a description', () => {
  const { parameters, responses } = document.components
  const described: { description?: string }[] = [...Object.values(parameters), ...Object.values(responses)]
  for (const { about } of written) {
    described.push(about, { description: about.summary })
    for (const each of [...about.parameters, ...Object.values(about.responses)]) if (!('$ref' in each)) described.push(each)
  }
  expect(described.filter(({ description }) => !description)).toEqual([])
})

test('every operation is in it, once', () => {
  expect(written.map(({ about }) => about.operationId).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  expect(operations.length).toBeGreaterThan(20)
})

test('every reference resolves, and every named object is used', () => {
  const addresses = addressesIn(document)
  expect(addresses.filter((address) => at(address) === undefined)).toEqual([])
  const unused = Object.keys(document.components.schemas).filter((name) => !addresses.includes(`#/components/schemas/${name}`))
  expect(unused).toEqual([])
})

test('every schema is valid JSON Schema 2020-12', () => {
  const schemas = [
    ...Object.values(document.components.schemas),
    ...written.flatMap(({ about }) => about.parameters.flatMap((each) => ('schema' in each ? [each.schema] : []))),
  ]
  expect(schemas.filter((each) => ajv.validateSchema(each) !== true)).toEqual([])
})

describe.each(written)('$method $path', ({ path, about }) => {
  test('names the parameters of its path, each once', () => {
    const parameters = about.parameters.map((each) => ('$ref' in each ? (at(each.$ref) as Parameter) : each))
    const inPath = parameters.filter((each) => each.in === 'path')
    expect(inPath.map(({ name }) => name)).toEqual(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name))
    expect(inPath.every(({ required }) => required)).toBe(true)
    expect(new Set(parameters.map((each) => `${each.in} ${each.name}`)).size).toBe(parameters.length)
    expect(parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(about['x-scope'] === 'write')
  })

  test('describes success, and errors as problem+json', () => {
    const statuses = Object.keys(about.responses)
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1)
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '429']))
    for (const status of statuses.filter((each) => Number(each) >= 400)) {
      const found = about.responses[status]!
      const problem = '$ref' in found ? (at(found.$ref) as Response) : found
      expect(Object.keys(problem.content ?? {})).toEqual(['application/problem+json'])
    }
  })

  test('its example has every required parameter, and no unknown one', () => {
    const example = operations.find(({ id }) => id === about.operationId)!.example
    const parameters = about.parameters.flatMap((each) => ('$ref' in each ? [] : [each]))
    const given = [...Object.keys(example.params ?? {}), ...Object.keys(example.query ?? {})]
    expect(given.filter((name) => !parameters.some((each) => each.name === name))).toEqual([])
    expect(parameters.filter((each) => each.required && !given.includes(each.name))).toEqual([])
    expect(example.body !== undefined).toBe(about.requestBody !== undefined)
  })
})

test('text in a request stays text: an option that is transformed shows what to write', () => {
  const viewed = document.paths['/alerts']?.get?.parameters.find((each) => 'name' in each && each.name === 'viewed')
  expect(viewed).toMatchObject({ schema: { type: 'string', enum: ['true', 'false'] } })
})
