import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { addressOf, type AnswerOf, endpoint, type Given, signedIn } from './endpoint.ts'

const find = endpoint({
  method: 'GET',
  path: '/api/things/:id/parts',
  access: 'session',
  params: z.object({ id: z.string() }),
  query: z.object({ from: z.string().optional(), limit: z.coerce.number().default(10) }),
  answer: z.array(z.string()),
})
const forget = endpoint({ method: 'DELETE', path: '/api/things', access: 'session', query: z.object({ about: z.string() }) })

test('a path contains its parameters, encoded, and nothing for omitted ones', () => {
  expect(addressOf(find, { params: { id: 'a/b?c' }, query: { from: undefined, limit: 5 } })).toBe('/api/things/a%2Fb%3Fc/parts?limit=5')
  expect(addressOf(find, { params: { id: '1' } })).toBe('/api/things/1/parts')
  expect(addressOf(forget, { query: { about: 'one & two' } })).toBe('/api/things?about=one+%26+two')
})

test("input and response have the contract's types", () => {
  expectTypeOf(find.path).toEqualTypeOf<'/api/things/:id/parts'>()
  expectTypeOf<AnswerOf<typeof find>>().toEqualTypeOf<string[]>()
  expectTypeOf<AnswerOf<typeof forget>>().toEqualTypeOf<undefined>()
  expectTypeOf<{ params: { id: string } }>().toExtend<Given<typeof find>>()
  expectTypeOf<object>().not.toExtend<Given<typeof find>>()
  expectTypeOf<{ query: { about: string } }>().toExtend<Given<typeof forget>>()
  expectTypeOf<{ query: object }>().not.toExtend<Given<typeof forget>>()
  // @ts-expect-error: a misspelled part must not be silently ignored.
  endpoint({ method: 'GET', path: '/api/things', access: 'session', prooof: 'always' })
  // @ts-expect-error: nor here.
  signedIn.get('/api/things', { prooof: 'always' })
})
