import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startGoogle } from '../emulators/google/server.ts'
import { addDays, daysBetween, pacificDay } from '../src/core/analytics/days.ts'
import { openClickHouse } from '../src/server/platform/clickhouse/clickhouse.ts'
import { generousQuotas, unused } from '../test/support/app.ts'
import { throughConsent } from '../test/support/consent.ts'
import { createControl } from '../test/support/google-control.ts'
import { googleEnv } from '../test/support/google-env.ts'
import { sumsAtGoogle, sumsStored } from '../test/support/grain-sums.ts'
import { backfillFrom, select, statusOf, synced } from '../test/support/people.ts'
import { silentLog } from '../test/support/platform.ts'
import { fillDirectory } from '../test/support/snapshots.ts'
import { until } from '../test/support/until.ts'
import { createVisitor } from '../test/support/visitor.ts'
import { createDice } from './dice.ts'
import { startEmbedded } from './embedded.ts'
import { back } from './installation.ts'
import { createLedger } from './ledger.ts'
import { type Inhabitant, insist, replaceRules } from './people.ts'

// One kill. Several at any time, and one of only PostgreSQL: src/server/sync/kill.full.test.ts. Users with figures, emails and files,
// killed at any time: chaos.full.test.ts.

const site = 'https://killed.example/'
const account = 'anna@example.test'

test(
  'kill -9 mid-backfill, while somebody writes: no day is missing, duplicated or halved, and everything acknowledged is there',
  {
    timeout: 180_000,
  },
  async ({ onTestFinished }) => {
    const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-chaos-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const dataDir = path.join(directory, 'data')
    await mkdir(dataDir)
    const [google] = await Promise.all([startGoogle(), fillDirectory(unused, dataDir)])
    onTestFinished(() => google.close())
    const control = createControl(google.url)
    await control.call('PUT', 'quotas', generousQuotas)
    await control.account(account, { [site]: 'local' })
    const at = await startEmbedded({ directory, dataDir, env: { DEMO: '0', ...googleEnv(google) } })
    onTestFinished(async () => void (await Promise.all(at.services.map((service) => service.stop()))))

    const visitor = createVisitor(() => at.url)
    const pages = [`${site}lamps`]
    const anna: Inhabitant = {
      name: 'anna',
      visitor,
      account,
      site,
      sites: [site],
      pages,
      fallen: new Set(),
      ruleId: '',
      imports: 'anna imported',
    }
    await throughConsent(visitor, { account })
    await at.sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now()`)
    await insist(anna, 'POST', '/api/delivery-settings', { frequency: 'instant', digestHour: 8 })
    const from = addDays(pacificDay(new Date()), -20)
    await backfillFrom(at.sql, site, from)
    // Slow enough that the backfill outlives the first server.
    await control.delay(1_000, 'query')
    await select(visitor, site)
    await replaceRules(anna)

    const ledger = createLedger(anna, createDice(20_260))
    const notes = () => at.sql('SELECT 1 FROM annotations')
    ledger.run()
    await until(notes, ({ length }) => length >= 3)
    await control.delay(120, 'query')
    const reached = await until(
      () => statusOf(visitor, site),
      ({ firstDate }) => firstDate !== null,
    )
    expect(at.services[0]?.kill()).toBe(true)
    await back(at)
    const after = await statusOf(visitor, site)
    expect(after.firstDate! <= reached.firstDate!).toBe(true)
    expect(after.daysLeft).toBeGreaterThan(0)
    await control.delay(0)
    const { acknowledged } = ledger.counts()
    await until(
      async () => ledger.counts(),
      (counts) => counts.acknowledged > acknowledged,
    )
    await ledger.pause()
    expect(await ledger.missing()).toEqual([])
    const done = await synced(visitor, site)
    expect(daysBetween(from, done.firstDate!)).toBe(1)

    // The ledger would report anything missing.
    await at.sql('DELETE FROM annotations WHERE id = (SELECT max(id) FROM annotations)')
    expect(await ledger.missing()).toContainEqual(expect.stringMatching(/^"note .* but is not there$/))

    await at.close()
    const span = { start: from, end: done.completeThrough!, dataState: 'final' } as const
    const clickhouse = await openClickHouse({ dataDir, memoryBytes: 1024 ** 3, log: silentLog })
    onTestFinished(() => clickhouse.close())
    expect(await sumsStored(clickhouse.client, { property: 1 }, span)).toEqual(await sumsAtGoogle(control, site, span))
  },
)
