import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { CompleteProperty } from '../../src/server/analytics/requested-property.ts'
import { createWindows } from '../../src/server/analytics/windows.ts'
import { diskRooms, spareRoom } from '../../src/server/facts/disk-rooms.ts'
import type { FactsStore } from '../../src/server/facts/store.ts'
import { forServer, forTenant } from '../../src/server/platform/tenant.ts'
import { receive, roomForUpload } from '../../src/server/sync/import/receive.ts'
import { databaseTest } from '../support/database.ts'
import { openFacts } from '../support/facts.ts'
import { smallDisk } from '../support/small-disk.ts'

// Accounts are free, and each may store a lot: together they can fill any disk. PostgreSQL needs the last of it.

const gib = 1024 ** 3

test('a twentieth of a disk is kept, at most 4 GiB', () => {
  expect(spareRoom({ free: 1.5 * gib, total: 20 * gib })).toBeCloseTo(0.5 * gib, -3)
  expect(spareRoom({ free: 5 * gib, total: 1_000 * gib })).toBe(gib)
  expect(spareRoom({ free: 0.5 * gib, total: 20 * gib })).toBeLessThan(0)
})

const noImports =
  "This server is almost out of disk space, so it can't process imports right now. Your stored data is safe. Try again in an hour."

test('uploads are refused before the disk is full, including those that have begun', async ({ skip }) => {
  const disk = smallDisk('8m') ?? skip('needs the right to mount a small disk')
  const free = await roomForUpload(disk)
  expect(free).toBeLessThan(4 * 1024 ** 2)
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(16 * 1024)
    })(),
  )
  await expect(receive(disk, { name: 'endless.csv', content: endless }, gib, 64 * 1024)).rejects.toMatchObject({
    status: 503,
    message: noImports,
  })
  expect(await readdir(path.join(disk, 'uploads'))).toEqual([])
  await writeFile(path.join(disk, 'filled'), Buffer.alloc(7.9 * 1024 ** 2))
  await expect(roomForUpload(disk)).rejects.toMatchObject({ status: 503, message: noImports })
})

const onStores = databaseTest().extend('stored', { scope: 'file' }, async ({}, { onCleanup }) => {
  const store = await openFacts()
  onCleanup(() => store.close())
  return store
})

onStores('no new period is prepared for anybody while the disk of the store is nearly full', async ({ database: { db }, stored }) => {
  expect(await stored.facts.ask(diskRooms)).toEqual([{ free: expect.any(Number), total: expect.any(Number) }])
  let isFull = false
  const ask = (question: unknown, ...asked: unknown[]): unknown =>
    question === diskRooms && isFull
      ? Promise.resolve([{ free: 0.04 * gib, total: gib }])
      : (stored.facts.ask as unknown as (...all: unknown[]) => unknown)(question, ...asked)
  const facts = { ...stored.facts, ask } as FactsStore
  const clock = { now: () => new Date('2026-03-18T12:00:00Z') }
  const of = (start: string) =>
    createWindows({ db, facts, clock }).of({ id: 1, factsVersion: 1 } as CompleteProperty, {
      current: { start, end: '2026-03-14' },
      previous: { start: '2026-02-01', end: '2026-02-14' },
    })
  await forTenant('somebody', () => of('2026-03-10'))
  isFull = true
  // What is there can still be read, and the server's own work goes on.
  await forTenant('somebody', () => of('2026-03-10'))
  await forServer(() => of('2026-03-11'))
  await expect(forTenant('somebody', () => of('2026-03-12'))).rejects.toMatchObject({
    status: 503,
    message: noImports.replace('imports', 'new periods'),
  })
})
