import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GoogleStandIn, startGoogle } from '../../../emulators/google/server.ts'
import { generousQuotas } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { type Control, createControl } from '../../../test/support/google-control.ts'
import { googleEnv } from '../../../test/support/google-env.ts'
import { sumsAtGoogle, sumsStored } from '../../../test/support/grain-sums.ts'
import { backfillFrom, select, statusOf, synced } from '../../../test/support/people.ts'
import { postmasterOf } from '../../../test/support/platform.ts'
import { type ServerProcess, startServerProcess } from '../../../test/support/server-process.ts'
import { openSql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import { createVisitor, type Visitor } from '../../../test/support/visitor.ts'
import type { SyncStatus } from '../../contract/sync.ts'
import { addDays, pacificDay } from '../../core/analytics/days.ts'
import { openClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { createLog } from '../platform/log.ts'

const site = 'https://killed.example/'
const historyDays = 150
const account = 'owner@example.test'
let google: GoogleStandIn
let control: Control
let dataDir: string
let server: ServerProcess
let owner: Visitor

const start = (): Promise<ServerProcess> =>
  startServerProcess({
    DATA_DIR: dataDir,
    DEMO: '0',
    ...googleEnv(google),
  })

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-kill-'))
  google = await startGoogle()
  control = createControl(google.url)
  await control.call('PUT', 'quotas', generousQuotas)
  await control.account(account, { [site]: 'local' })
  server = await start()
  owner = createVisitor(() => server.url)
  await throughConsent(owner, { account })
  const { sql, close } = await openSql(dataDir)
  await backfillFrom(sql, site, addDays(pacificDay(new Date()), 1 - historyDays))
  await close()
})
afterAll(async () => {
  await server.stop()
  await google.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** The sync's progress; asked again while the server recovers. */
const status = (): Promise<SyncStatus | null> => statusOf(owner, site).catch(() => null)

test('kill -9 of the server mid-backfill: the next start continues from there', { timeout: 60_000 }, async () => {
  // Slow enough for the backfill to outlive the first servers.
  await control.delay(100, 'query')
  await select(owner, site)
  let reached = '9999'
  for (let life = 0; life < 3; life++) {
    const now = await until(status, (each) => each !== null && each.firstDate !== null && each.firstDate < reached, 30_000)
    reached = now!.firstDate!
    await sleep(Math.random() * 600)
    await server.kill()
    server = await start()
    const after = await status()
    expect(after!.firstDate! <= reached).toBe(true)
    expect(after!.daysLeft).toBeGreaterThan(0)
  }
})

test('kill -9 of only PostgreSQL: the server recovers by itself, or exits saying so', { timeout: 60_000 }, async () => {
  const before = await until(status, (each) => each !== null && each.daysLeft > 0)
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  const outcome = await Promise.race([
    server.exit,
    until(status, (each) => each !== null && (each.firstDate! < before!.firstDate! || each.daysLeft === 0), 50_000).then(
      () => 'recovered' as const,
    ),
  ])
  const said = outcome === 'recovered' ? 'recovered' : `exit code ${outcome}: ${server.output()}`
  expect(said).toMatch(/^recovered$|^exit code (?!0:).*(PostgreSQL|database)/is)
  if (outcome !== 'recovered') server = await start()
  expect((await owner.get('/readyz')).status).toBe(200)
})

test('afterwards no day is missing, duplicated or halved, in any grain', { timeout: 60_000 }, async () => {
  await control.delay(0)
  const done = await synced(owner, site, 50_000)
  expect(await server.stop()).toBe(0)
  const end = done.completeThrough!
  expect(done.firstDate! < addDays(end, 10 - historyDays)).toBe(true)
  const span = { start: done.firstDate!, end, dataState: 'final' } as const
  const clickhouse = await openClickHouse({ dataDir, memoryBytes: 1024 ** 3, log: createLog('silent') })
  try {
    expect(await sumsStored(clickhouse.client, { property: 1 }, span)).toEqual(await sumsAtGoogle(control, site, span))
  } finally {
    await clickhouse.close()
  }
})
