import { alerts } from '../../src/contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import { expectText, expectVisible } from '../support/browser-expect.ts'
import { runJob } from '../support/jobs.ts'
import { journeyTest } from '../support/journey-test.ts'
import { newPerson, refresh, select, shortenHistory, synced } from '../support/people.ts'
import { until } from '../support/until.ts'

const test = journeyTest({ figures: false })

const site = 'https://by-the-hour.example/'
/** A Wednesday. */
const today = '2026-03-18'

test('an hourly drop is on the dashboard and an alert immediately; the final day confirms it', async ({ app, visitAs }) => {
  const owner = await newPerson(app, { email: 'by-the-hour@example.test', plan: 'agency', sites: { [site]: 'empty' } })
  await app.google.call('PUT', 'late', { site, days: 3 })
  for (const date of eachDay(addDays(today, -60), addDays(today, 4)))
    await app.google.setRows(site, date, [{ query: 'lamp', page: `${site}lamps`, clicks: 2000, impressions: 20_000, position: 4 }])
  await app.google.changeHours(site, [{ from: `${today}T02:00:00-07:00`, until: `${addDays(today, 1)}T00:00:00-07:00`, factor: 0.1 }])
  await shortenHistory(app, site, 60)
  await owner.send('POST', '/api/delivery-settings', { frequency: 'instant' })
  await select(owner, site)
  await owner.send('POST', '/api/alert-conditions', { type: 'clicks', title: 'Drop in clicks', monitor: 'site', threshold: 15 })
  await synced(owner, site, 60_000)

  await app.google.setMoment(`${today}T16:05:00-07:00`)
  await app.lookForDue()
  const list = async () => alerts.parse((await owner.get('/api/alerts')).body)
  const [alert] = await until(list, (all) => all.length > 0, 60_000)

  const page = await visitAs(owner, '/dashboard')
  const card = page.getByRole('region', { name: 'Today so far' })
  await card.scrollIntoViewIfNeeded()
  await expectVisible(card.getByText('18 Mar, data through 10:00 Pacific'), card.getByRole('figure', { name: 'Clicks by hour' }))

  await page.goto(`/alerts/${alert?.id}`)
  await expectVisible(
    page.getByRole('heading', { name: 'Clicks dropped across the site so far on 18 Mar (through 10:00 Pacific), preliminary', level: 1 }),
    page.getByRole('figure', { name: 'Clicks by hour, 18 Mar' }),
  )
  const life = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  await expectText(life.first(), /Final data will confirm or withdraw this alert/)

  await app.google.setMoment(`${addDays(today, 3)}T12:00:00-07:00`)
  await refresh(owner, site)
  await synced(owner, site, 60_000)
  await runJob(app, 'alerts-due')
  await until(list, ([first]) => first?.hours?.status === 'confirmed', 60_000)
  await page.reload()
  await expectVisible(page.getByRole('heading', { name: 'Clicks dropped across the site on 18 Mar', level: 1 }))
  await expectText(
    life.nth(-1),
    /Confirmed.*Final data shows the same change.*Final data for Wednesday, 18 Mar: [\d,]+ clicks vs the usual 2,000/s,
  )
})
