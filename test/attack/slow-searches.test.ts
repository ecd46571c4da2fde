import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { explored } from '../../src/contract/explore/explore.ts'
import { type Typist, typistTest } from './typist.ts'

// Texts that somebody searches for, and names stored for them, so that the engine compares each letter of one with each of the other: its
// search without case would take up to thirty milliseconds for each filter and name, and for fifty brand terms together fifty.

const longest = 2_040
const letters = ['a', 'ü', '字'] as const
/** Names of one letter each, and a number. */
const names = (count: number) => Array.from({ length: count }, (_, at) => `${letters[at % 3]!.repeat(longest)}${at}`)

const test = typistTest()
  .extend('few', { scope: 'file' }, ({ typist }) => store(typist, 'few', 300))
  .extend('many', { scope: 'file' }, ({ typist }) => store(typist, 'many', 8_000))

async function store(typist: Typist, property: string, count: number): Promise<string> {
  const lines = names(count).map((name, at) => `2026-03-14,${name},https://own.example/${at}${name.slice(0, 2_000)},1,10,5`)
  const content = gzipSync(['date,query,page,clicks,impressions,position', ...lines].join('\n'))
  expect(await typist.upload(property, content, 'figures.csv.gz')).toMatchObject({ status: 200 })
  return property
}

/** Found in no name, but nearly at each of its letters. `not`: true for each row, so the next filter is asked, too. */
const searches = (field: string, count: number, of: readonly string[] = letters) =>
  Array.from({ length: count }, (_, at) => `${field} not contains ${of[at % of.length]!.repeat(970)}${'bcdefg'[at]}`).join('\n')

/** Fifty terms that begin in the same way, and a short one. */
const terms = [
  'qrst',
  ...Array.from({ length: 49 }, (_, at) => `${letters[at % 2]!.repeat(97)}${'bcdefgh'[Math.floor(at / 7)]}${'bcdefgh'[at % 7]}`),
]

/** Other letters don't fit in an address. */
const inAddress = ['a']

const segmentOf = async ({ person }: Typist, content: string) =>
  ((await person.send('POST', '/api/explore/saved', { kind: 'segment', name: `${Date.now()}`, content })).body as { id: string }).id
const ask = ({ person }: Typist, place: string, asked: Record<string, string>) =>
  person.get(`${place}?${new URLSearchParams({ range: '2026-03-10_2026-03-14', ...asked })}`)

describe('searches on names made to slow them down are answered', () => {
  test('with a dozen filters of the longest texts, half of them from a segment', { tags: ['full'] }, async ({ typist, few }) => {
    for (const by of ['query', 'page']) {
      const segment = await segmentOf(typist, searches(by, 6))
      const answer = await ask(typist, '/api/explore', { property: few, by, segment, where: searches(by, 6, inAddress) })
      expect({ by, status: answer.status }).toEqual({ by, status: 200 })
      expect(explored.parse(answer.body).count).toBe(300)
    }
  })

  test('with a search in a list, and a segment of it', async ({ typist, few }) => {
    const segment = await segmentOf(typist, searches('query', 6))
    for (const place of ['/api/keywords', '/api/pages']) {
      const search = `${'ü'.repeat(199)}b`
      expect({ place, answer: await ask(typist, place, { property: few, search, segment }) }).toMatchObject({
        answer: { status: 200, body: [] },
      })
    }
  })

  test('with brand terms that begin alike', { tags: ['full'] }, async ({ typist, few }) => {
    expect(await typist.person.send('PUT', `/api/brand?property=${few}`, { terms })).toMatchObject({ status: 200 })
    const answer = await ask(typist, '/api/explore', { property: few, where: 'brand is no' })
    expect(answer.status).toBe(200)
    expect(explored.parse(answer.body).count).toBe(300)
    for (const place of ['/api/keywords', '/api/brand/split', '/api/keywords/competing'])
      expect({ place, status: (await ask(typist, place, { property: few })).status }).toEqual({ place, status: 200 })
  })

  test('or stopped in time, however many there are', { tags: ['full'] }, async ({ typist, many }) => {
    expect(await typist.person.send('PUT', `/api/brand?property=${many}`, { terms })).toMatchObject({ status: 200 })
    const segment = await segmentOf(typist, searches('query', 6))
    for (const [where, by] of [
      [searches('query', 6, inAddress), 'query'],
      [`brand is no\n${searches('query', 5, inAddress)}`, 'query_page'],
    ] as const) {
      const begun = Date.now()
      expect([200, 400]).toContain((await ask(typist, '/api/explore', { property: many, by, segment, where })).status)
      expect(Date.now() - begun).toBeLessThan(45_000)
    }
  })
})
