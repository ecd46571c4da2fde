import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, refresh, select, shortenHistory, synced } from '../../../test/support/people.ts'

/** The moments at which the days around a clock change begin in Los Angeles. */
const changes = [
  {
    name: 'spring forward',
    days: ['2025-03-08', '2025-03-09', '2025-03-10'],
    begin: ['2025-03-08T08:00:00Z', '2025-03-09T08:00:00Z', '2025-03-10T07:00:00Z'],
  },
  {
    name: 'fall back',
    days: ['2025-11-01', '2025-11-02', '2025-11-03'],
    begin: ['2025-11-01T07:00:00Z', '2025-11-02T07:00:00Z', '2025-11-03T08:00:00Z'],
  },
]

test.each(changes)('$name: each day is synced from its first second in Los Angeles, once', async ({ name, days, begin }) => {
  const site = `https://${name.replace(' ', '-')}.example/`
  const app = await startTestApp({ today: days[0]!, demo: false })
  onTestFinished(() => app.close())
  await app.google.setMoment(begin[0]!)
  const owner = await newPerson(app, { sites: { [site]: 'local' } })
  await shortenHistory(app, site, 6)
  await select(owner, site)
  expect((await synced(owner, site)).lastDate).toBe(days[0])

  for (const [i, moment] of begin.entries()) {
    if (i === 0) continue
    const lastSecond = new Date(Date.parse(moment) - 1000).toISOString()
    await app.google.setMoment(lastSecond)
    expect((await refresh(owner, site)).lastDate).toBe(days[i - 1])
    await app.google.setMoment(moment)
    const status = await refresh(owner, site)
    expect(status).toMatchObject({ state: 'ok', lastDate: days[i], daysLeft: 0 })
    await expectStoredAsAtGoogle(app, site, { start: status.firstDate!, end: days[i]! })
  }
})
