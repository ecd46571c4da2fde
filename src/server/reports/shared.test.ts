import { expect, test } from 'vitest'
import { createDrawings, NotDrawn } from './shared.ts'

// One thread draws the files of all owners' links.

const minute = 60_000

function drawingsAt(start: string) {
  let now = new Date(start)
  const drawings = createDrawings({ now: () => now })
  let attempts = 0
  return {
    attempts: () => attempts,
    pass: (ms: number) => (now = new Date(now.getTime() + ms)),
    fails: (key: string, error: Error = new NotDrawn()) =>
      drawings('owner', key, async () => {
        attempts += 1
        throw error
      }).catch((problem: unknown) => problem),
    draws: (key: string) => drawings('owner', key, async () => Buffer.from(`drawn ${key}`)),
  }
}

test("a file that couldn't be rendered isn't retried for every visitor, but only after an hour", async () => {
  const { attempts, pass, fails, draws } = drawingsAt('2026-11-26T10:00:00Z')
  expect(await fails('huge')).toMatchObject({ status: 409 })
  for (let visit = 0; visit < 20; visit++) expect(await fails('huge')).toMatchObject({ status: 409 })
  expect(attempts()).toBe(1)
  // Another file, or the same report with other content, is drawn.
  expect(await draws('other')).toEqual(Buffer.from('drawn other'))
  pass(59 * minute)
  await expect(draws('huge')).rejects.toMatchObject({ status: 409 })
  pass(minute)
  expect(await draws('huge')).toEqual(Buffer.from('drawn huge'))
})

test("one owner's file that takes a long time doesn't hold up other owners' files", async () => {
  const drawings = createDrawings({ now: () => new Date() })
  const slow = Promise.withResolvers<Buffer>()
  const first = drawings('slow owner', 'long', () => slow.promise)
  const next = drawings('slow owner', 'next', async () => Buffer.from('next'))
  expect(await drawings('other owner', 'short', async () => Buffer.from('short'))).toEqual(Buffer.from('short'))
  expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits')
  slow.resolve(Buffer.from('long'))
  expect(await Promise.all([first, next])).toEqual([Buffer.from('long'), Buffer.from('next')])
})

test('a file that failed for another reason is tried again at once', async () => {
  const { fails, draws } = drawingsAt('2026-11-26T10:00:00Z')
  expect(await fails('unlucky', new Error('the store is away'))).toMatchObject({ message: 'the store is away' })
  expect(await draws('unlucky')).toEqual(Buffer.from('drawn unlucky'))
})

test('of many files that failed, the latest thousand are remembered', async () => {
  const { fails, draws } = drawingsAt('2026-11-26T10:00:00Z')
  for (let at = 0; at <= 1_000; at++) await fails(`file ${at}`)
  expect(await draws('file 0')).toEqual(Buffer.from('drawn file 0'))
  await expect(draws('file 1')).rejects.toBeInstanceOf(NotDrawn)
})
