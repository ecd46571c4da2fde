import { expect } from 'vitest'
import type { CompleteProperty } from '../../src/server/analytics/requested-property.ts'
import { createWindows } from '../../src/server/analytics/windows.ts'
import { createFactsStore, type FactsStore } from '../../src/server/facts/store.ts'
import { Abandoned, newTenancy, runAs } from '../../src/server/platform/tenant.ts'
import { databaseTest } from '../support/database.ts'
import { openFacts } from '../support/facts.ts'

// Somebody asks for one period after another, and never waits for the answer.

const test = databaseTest().extend('stored', { scope: 'file' }, async ({}, { onCleanup }) => {
  const store = await openFacts()
  onCleanup(() => store.close())
  return store
})
const clock = { now: () => new Date('2026-03-18T12:00:00Z') }
const days = (start: string) => ({ current: { start, end: '2026-03-14' }, previous: { start: '2026-02-01', end: '2026-02-14' } })
/** Each name counts as thirty rows. */
const name = (at: number): string => `${at}`.padEnd(30 * 64, 'q')

test('a period counts once it is stored, even if its reader has hung up or it was not finished', async ({
  database: { db, pool },
  stored,
}) => {
  const { client, nextLoad } = stored
  const load = await stored.facts.beginLoad(1, 'web')
  const rows = Array.from({ length: 10 }, (_, at) => ({ date: '2026-03-14', keys: [name(at)], clicks: 1, impressions: 2, position: 1 }))
  await load.write('query', rows)
  await load.publish(new Map([['query', ['2026-03-14']]]))

  const used = async (): Promise<number> => {
    const { rows: found } = await pool.query<{ used: number }>(
      `SELECT used FROM day_counts WHERE what = 'window-row' AND whose = 'attacker'`,
    )
    return found[0]?.used ?? 0
  }
  /** Asks for a period. */
  const ask = (facts: FactsStore, start: string, signal?: AbortSignal) =>
    runAs(newTenancy(signal, 'attacker'), () =>
      createWindows({ db, facts, clock }).of({ id: 1, factsVersion: 1 } as CompleteProperty, days(start)),
    )

  await ask(stored.facts, '2026-03-10')
  expect(await used()).toBe(300)

  const gone = new AbortController()
  const hangUp: FactsStore = {
    ...stored.facts,
    makeWindow(source, making) {
      gone.abort(new Abandoned())
      return stored.facts.makeWindow(source, making)
    },
  }
  await ask(hangUp, '2026-03-11', gone.signal).catch(() => undefined)
  await expect.poll(used).toBe(600)

  const halfway = Object.assign(Object.create(client) as typeof client, {
    command: ((params) =>
      params.query.includes('INTO window_page') ? Promise.reject(new Error('too slow')) : client.command(params)) as typeof client.command,
  })
  await expect(ask(createFactsStore(halfway, nextLoad), '2026-03-12')).rejects.toThrow('too slow')
  expect(await used()).toBe(900)
})
