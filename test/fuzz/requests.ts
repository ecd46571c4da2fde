import fc from 'fast-check'
import type { Route } from '../support/route-table.ts'
import { anyOf, type Known } from './fitting.ts'
import type { Answered, Sender } from './sender.ts'
import { wild } from './wild.ts'

/** A request to a route: parts that fit, nearly fit, or don't at all. */
export type Asked = { params: unknown; query: unknown; body: unknown; raw: string | null; headers: Record<string, string> }

export const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 80 })
const oddHeaders = fc.record(
  {
    'accept-language': fc.oneof(header, fc.constant('*;q=9, de-DE-x-y;q=NaN')),
    'user-agent': fc.oneof(header, fc.constant('x'.repeat(5_000))),
    accept: header,
    'if-none-match': fc.oneof(header, fc.constant('*')),
    'idempotency-key': fc.oneof(header, fc.constant('again')),
    'accept-encoding': header,
    range: fc.constantFrom('bytes=5-1', 'bytes=-1', 'x'),
  },
  { requiredKeys: [] },
)
const brokenBodies = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[1,',
    '{"a":1,"a":2}',
    '\uFEFF{}',
    'NaN',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{}}}',
    `${'['.repeat(5_000)}`,
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

export const asked = (route: Route, known: Known): fc.Arbitrary<Asked> =>
  fc.record({
    params: anyOf(route.params, known),
    query: route.query ? anyOf(route.query, known) : fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, wild),
    body: route.body ? anyOf(route.body, known) : wild,
    raw: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, brokenBodies),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, oddHeaders),
  })

/** As a query string: lists repeat the key, everything else becomes text. */
function queryOf(query: unknown): string {
  if (typeof query === 'string') return encodeURI(query.toWellFormed()).replaceAll('#', '%23')
  if (typeof query !== 'object' || query === null) return ''
  const pairs = Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => `${encoded(key)}=${encoded(one)}`))
  return pairs.join('&')
}
export const encoded = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed())

function pathOf(route: Route, params: unknown, known: Known): string {
  const given = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>
  const ids = known['id'] ?? []
  return route.url.replaceAll(
    /:(\w+)|\*/g,
    (_all, name: string | undefined) => encoded(given[name ?? ''] ?? ids[0] ?? '1').slice(0, 2_000) || '1',
  )
}

/** Requests a route, from a different address each time, as rate limits aren't tested here. */
export function createAsker(sender: Sender, known: Known) {
  let requests = 0
  return (route: Route, { params, query, body, raw, headers }: Asked, who: Record<string, string>): Promise<Answered> => {
    const search = queryOf(query).slice(0, 8_000)
    const from = { 'x-forwarded-for': `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests++ & 255}` }
    const path = pathOf(route, params, known) + (search && `?${search}`)
    if (route.method === 'GET') return sender.send('GET', path, { ...headers, ...who, ...from })
    const sent = raw ?? JSON.stringify(body) ?? ''
    return sender.send(route.method, path, { ...headers, ...who, ...from, 'content-type': 'application/json' }, sent)
  }
}
