import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import type { Leases } from '../database/leases.ts'
import { readFairly } from '../platform/fair-reads.ts'
import type { Queue } from '../platform/queue.ts'
import { forTenant } from '../platform/tenant.ts'
import { workOnHours, workOnSync } from './jobs.ts'
import type { PropertyQueue } from './property-queue.ts'
import type { HourSync } from './hours/service.ts'
import type { SyncService } from './service.ts'

const property = { propertyId: 1, userId: 'ann' }

/** A queue whose jobs run when told to. */
function handlers() {
  const known = new Map<string, (job: object) => Promise<void>>()
  const work = async (name: string, _options: object, handler: (job: object) => Promise<void>) => void known.set(name, handler)
  return {
    queue: { work, schedule: async () => undefined } as unknown as Queue,
    run: (name: string) => known.get(name)?.({ id: '1', data: property, signal: new AbortController().signal }),
  }
}

test("the lanes of syncs, of days and of hours, which everybody waits for, don't wait behind their owner's own queries", async () => {
  const running: (() => void)[] = []
  const query = () => new Promise<void>((resolve) => running.push(resolve))
  const client = readFairly({ query, exec: query } as unknown as ClickHouseClient, 2)
  const ask = () => client.query({ query: 'SELECT 1' })
  const answered: string[] = []
  const asking = async (what: string) => {
    await ask()
    answered.push(what)
  }
  const jobs = handlers()
  const never = { othersWait: async () => false, admit: async () => undefined, hasRoom: async () => false }
  const work = {
    queue: jobs.queue,
    propertyQueue: never as unknown as PropertyQueue,
    leases: { claim: async () => ({ signal: new AbortController().signal, release: async () => undefined }) } as unknown as Leases,
    sync: { runSlice: () => asking('days'), dueOf: async () => [], enqueueDue: async () => undefined } as unknown as SyncService,
    hours: { run: () => asking('hours'), dueOf: async () => [], enqueueDue: async () => undefined } as unknown as HourSync,
  }
  await workOnSync(work)
  await workOnHours(work)

  const own = forTenant('ann', () => Array.from({ length: 40 }, (_, at) => asking(`query ${at}`)))
  await nextTurn()
  const syncs = [jobs.run('sync-slice'), jobs.run('sync-hours')]
  for (let left = 42; left > 0; left -= 1) {
    await nextTurn()
    running.shift()?.()
  }
  await Promise.all([...own, ...syncs])
  expect(answered.slice(0, 3).toSorted()).toEqual(['days', 'hours', 'query 0'])
})
