import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { newPerson, propertyId, select, shortenHistory, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const site = 'https://vanishing.example/'
const neighbour = 'https://staying.example/'

const test = appTest({ today: '2026-03-18', demo: false })

type Job = { state: string; retry_count: number }
const jobsOf = async (app: TestApp, id: number): Promise<Job[]> =>
  (await app.stores()).sql<Job>(`SELECT state, retry_count FROM jobs.job WHERE name = 'sync-slice' AND data->>'propertyId' = $1`, [
    String(id),
  ])

test('a property that vanishes during its sync ends it quietly, and others continue', async ({ app }) => {
  const { sql } = await app.stores()
  const leaving = await newPerson(app, { email: 'leaving@example.test', sites: { [site]: 'local' } })
  await shortenHistory(app, site, 30)
  await app.google.delay(300, 'query')
  await select(leaving, site)
  const id = await propertyId(app, site)
  await until(
    () => app.google.requests(),
    (requests) => requests.some(({ kind, siteUrl }) => kind === 'query' && siteUrl === site),
  )
  await sql(`DELETE FROM users WHERE email = 'leaving@example.test'`)
  await app.google.delay(0)

  const jobs = await until(
    () => jobsOf(app, id),
    (all) => all.length > 0 && all.every(({ state }) => state === 'completed' || state === 'failed'),
  )
  expect(jobs).toEqual(jobs.map(() => ({ state: 'completed', retry_count: 0 })))
  expect(app.logLines).toEqual([])

  const staying = await newPerson(app, { email: 'staying@example.test', sites: { [neighbour]: 'local' } })
  await shortenHistory(app, neighbour, 3)
  await select(staying, neighbour)
  expect(await synced(staying, neighbour)).toMatchObject({ state: 'ok' })
})
