import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, select, shortenHistory, statusOf, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const site = 'https://history.example/'
const test = appTest({ today: '2026-03-18', demo: false })

test('selecting a property backfills its history, newest days first, with visible progress, and stores every day as Google has it', async ({
  app,
}) => {
  const owner = await newPerson(app, { sites: { [site]: 'local' } })
  await shortenHistory(app, site, 30)
  await app.google.delay(20, 'query')
  await select(owner, site)
  const first = await until(
    () => statusOf(owner, site),
    (status) => status.completeThrough !== null,
  )
  expect(first).toMatchObject({ lastDate: '2026-03-18', running: true, daysTotal: 30 })
  expect(first.daysLeft).toBeGreaterThan(0)
  await app.google.delay(0)
  const done = await synced(owner, site)
  const { finalDate } = (await app.google.call(
    'GET',
    `totals?${new URLSearchParams({ site, start: '2026-03-01', end: '2026-03-18' })}`,
  )) as {
    finalDate: string
  }
  expect(done).toMatchObject({ firstDate: '2026-02-17', completeThrough: finalDate, daysLeft: 0 })
  await expectStoredAsAtGoogle(app, site, { start: '2026-02-17', end: '2026-03-18' })
})
