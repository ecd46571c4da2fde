import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, statusOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const monitored = Array.from({ length: 5 }, (_, i) => `https://site-${i + 1}.example/`)
const other = 'https://other.example/'
const test = appTest({ today: '2026-03-18', demo: false })

test('of several sites at once, those that wait for their first turn show all of their days as still to come', async ({ app }) => {
  const atGoogle = Object.fromEntries([...monitored, other].map((site) => [site, 'local' as const]))
  const owner = await newPerson(app, { plan: 'pro', sites: atGoogle })
  await app.google.delay(500, 'query')
  expect((await owner.send('POST', '/api/gsc-properties/monitor', { sites: monitored })).status).toBe(200)
  const waiting = await until(
    async () => (await Promise.all(monitored.map((site) => statusOf(owner, site)))).filter(({ running }) => !running),
    (left) => left.length <= 2,
  )
  expect(waiting).toHaveLength(2)
  for (const status of waiting) expect(status).toMatchObject({ state: 'never', daysLeft: 486, daysTotal: 486, firstDate: null })
  // An unmonitored one waits for nothing.
  expect(await statusOf(owner, other)).toMatchObject({ state: 'never', daysLeft: 0, daysTotal: 0 })
})
