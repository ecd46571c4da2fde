import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test as baseTest } from 'vitest'
import { startGoogle } from '../../../emulators/google/server.ts'
import { generousQuotas, unused } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { createControl } from '../../../test/support/google-control.ts'
import { googleEnv } from '../../../test/support/google-env.ts'
import { sumsAtGoogle, sumsStored } from '../../../test/support/grain-sums.ts'
import { backfillFrom, select, statusOf, synced } from '../../../test/support/people.ts'
import { startServerProcess } from '../../../test/support/server-process.ts'
import { fillDirectory } from '../../../test/support/snapshots.ts'
import { openSql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import { createVisitor } from '../../../test/support/visitor.ts'
import { addDays, daysBetween, pacificDay } from '../../core/analytics/days.ts'
import { openClickHouse } from '../platform/clickhouse.ts'
import { createLog } from '../platform/log.ts'

// Several kills at any moment, and one of PostgreSQL alone: kill.full.test.ts.

const site = 'https://killed.example/'
const account = 'owner@example.test'

/** What a server finds that runs on stores of its own, as `npm start` has it. */
const test = baseTest
  .extend('google', async ({}, { onCleanup }) => {
    const google = await startGoogle()
    onCleanup(() => google.close())
    return google
  })
  .extend('dataDir', async ({}, { onCleanup }) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-kill-'))
    onCleanup(() => rm(dataDir, { recursive: true, force: true }))
    await fillDirectory(unused, dataDir)
    return dataDir
  })

test('kill -9 in mid-backfill: the next start goes on from there, and no day is missing, doubled or halved', async ({
  google,
  dataDir,
  onTestFinished,
}) => {
  const start = async () => {
    const started = await startServerProcess({ DATA_DIR: dataDir, DEMO: '0', ...googleEnv(google) })
    onTestFinished(() => started.kill())
    return started
  }
  const control = createControl(google.url)
  await control.call('PUT', 'quotas', generousQuotas)
  await control.account(account, { [site]: 'local' })
  let server = await start()
  const owner = createVisitor(() => server.url)
  await throughConsent(owner, { account })
  const { sql, close } = await openSql(dataDir)
  const from = addDays(pacificDay(new Date()), -20)
  await backfillFrom(sql, site, from)
  await close()
  // Slow enough that the backfill lasts longer than the life of the first server.
  await control.delay(120, 'query')
  await select(owner, site)
  const reached = await until(
    () => statusOf(owner, site),
    ({ firstDate }) => firstDate !== null,
  )
  await server.kill()
  server = await start()
  const after = await statusOf(owner, site)
  expect(after.firstDate! <= reached.firstDate!).toBe(true)
  expect(after.daysLeft).toBeGreaterThan(0)
  await control.delay(0)
  const done = await synced(owner, site)
  expect(await server.stop()).toBe(0)
  expect(daysBetween(from, done.firstDate!)).toBe(1)
  const span = { start: from, end: done.completeThrough!, dataState: 'final' } as const
  const clickhouse = await openClickHouse({ dataDir, memoryBytes: 1024 ** 3, log: createLog('silent') })
  try {
    expect(await sumsStored(clickhouse.client, { property: 1 }, span)).toEqual(await sumsAtGoogle(control, site, span))
  } finally {
    await clickhouse.close()
  }
})
