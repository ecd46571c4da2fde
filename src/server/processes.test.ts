import { expect, test as baseTest } from 'vitest'
import { throughConsent } from '../../test/support/consent.ts'
import { sumsAtGoogle, sumsStored } from '../../test/support/grain-sums.ts'
import { backfillFrom, select, synced } from '../../test/support/people.ts'
import { openSharedServers } from '../../test/support/shared-servers.ts'
import { createVisitor } from '../../test/support/visitor.ts'
import { addDays, pacificDay } from '../core/analytics/days.ts'

// Four processes on empty databases, replaced one by one, and stores that are down: processes.full.test.ts.

const site = 'https://many.example/'
const account = 'owner@example.test'
/** The URL at which users reach both. */
const BASE_URL = 'http://ranklark.example'

const test = baseTest.extend('shared', async ({}, { onCleanup }) => {
  const shared = await openSharedServers()
  onCleanup(() => shared.close())
  return shared
})

test('a worker does what is requested at a web process, and both end when told to', { tags: ['full'] }, async ({ shared }) => {
  const { google, sql } = shared
  const [web, worker] = await Promise.all([
    shared.start('web', { ROLE: 'web', BASE_URL }),
    shared.start('worker', { ROLE: 'worker', BASE_URL }),
  ])
  expect((await fetch(`${web.local}/api/user`)).status).toBe(401)
  expect((await fetch(`${worker.local}/api/user`)).status).toBe(404)
  for (const { local } of [web, worker]) expect(await (await fetch(`${local}/readyz`)).json()).toEqual({ status: 'ok' })

  await google.account(account, { [site]: 'local' })
  const owner = createVisitor(() => web.local)
  await throughConsent(owner, { account })
  const start = addDays(pacificDay(new Date()), -5)
  await backfillFrom(sql, site, start)
  await select(owner, site)
  const { completeThrough } = await synced(owner, site)
  const span = { start, end: completeThrough ?? '', dataState: 'final' } as const
  const [property] = await sql<{ id: number }>('SELECT id FROM properties WHERE name = $1', [site])
  expect(await sumsStored(shared.clickhouse, { property: Number(property?.id) }, span)).toEqual(await sumsAtGoogle(google, site, span))

  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0])
  expect(await sql(`SELECT name, output FROM jobs.job WHERE state IN ('active', 'failed')`)).toEqual([])
})
