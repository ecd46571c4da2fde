import { appTest } from '../../../../test/support/app-test.ts'
import { noJobsLeft } from '../../../../test/support/jobs.ts'
import { hoursOf, watching } from '../../../../test/support/stored-hours.ts'
import { until } from '../../../../test/support/until.ts'

const site = 'https://broken-off.example/'
const test = appTest({ today: '2026-03-16', demo: false })

test('a server that stops during a request continues after its restart', async ({ app }) => {
  await app.google.setMoment('2026-03-16T12:00:00-07:00')
  const person = await watching(app, site, { email: 'broken@example.test', plan: 'agency' })
  const { expectStoredAsAtGoogle, asked, hourRequests } = hoursOf(app, person, site)
  await asked()
  await app.google.setMoment('2026-03-16T19:00:00-07:00')
  await app.google.forgetRequests()
  await app.google.fail({ error: 'hang', times: 1, kind: 'query', dims: ['hour'] })
  await person.send('POST', '/api/sync', { property: site })
  await until(
    async () => (await hourRequests()).length,
    (count) => count >= 1,
  )
  await app.restart()
  await asked()
  // The interrupted job runs again, besides the one requested at startup.
  await noJobsLeft(app, 'sync-hours')
  await expectStoredAsAtGoogle('2026-03-01', '2026-03-16')
})
