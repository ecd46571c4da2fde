import type { AlertHours } from '../../src/contract/alerts/alerts.ts'
import { finalDay, hourlySentenceOf, hourlyTitleOf } from '../../src/core/alerting/copy.ts'
import { shownAlert } from '../support/answers/alerts.ts'
import { reportOf } from '../support/answers/report.ts'
import { todayOf } from '../support/answers/today.ts'
import { shop, today } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectAttribute, expectCount, expectText, expectTexts, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// Real time (Agency): today's hours, and an alert they opened.

test("the dashboard shows today's hours that Google has finished, compared with what is usual by then", async ({ desk, signIn, open }) => {
  signIn({ plan: 'agency', siteLimit: 25 })
  desk.answer('GET /api/today', { locked: null, today: todayOf() })
  const page = await open('/dashboard')
  const card = page.getByRole('region', { name: 'Today so far' })
  await expectVisible(card)
  await card.scrollIntoViewIfNeeded()
  await expectVisible(card.getByText('18 Mar, data through 10:00 Pacific'), card.getByText('Preliminary'))
  await expectVisible(card.getByText('224', { exact: true }), card.getByText('usually 800 by then'), card.getByText('72.0%'))
  await expectVisible(card.getByRole('figure', { name: 'Clicks by hour' }))
  await card.getByRole('radio', { name: 'Impressions' }).check({ force: true })
  await card.getByRole('button', { name: 'Show as table: Impressions by hour' }).click()
  const row = page.getByRole('table', { name: 'Impressions by hour' }).getByRole('row', { name: /^05:00/ })
  await expectVisible(row)
  await expectTexts(row.getByRole('cell'), ['80', '800'])
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectWithinWindow(page)
})

test('setting up an hourly rule keeps the days in the URL', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'agency', siteLimit: 25 })
  desk.answer('GET /api/today', { locked: null, today: todayOf() })
  const page = await open('/dashboard?range=28d&compare=year')
  const card = page.getByRole('region', { name: 'Today so far' })
  await expectVisible(card)
  await card.scrollIntoViewIfNeeded()
  const property = encodeURIComponent(shop)
  const address = `/insights?tab=monitoring&property=${property}&range=28d&compare=year`
  await expectAttribute(card.getByRole('link', { name: 'Set one up' }), 'href', address)
})

test('without hours, the card is no taller than its text', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'agency', siteLimit: 25 })
  desk.answer('GET /api/today', { locked: null, today: null })
  const page = await open('/dashboard')
  const card = page.getByRole('region', { name: 'Today so far' })
  await expectVisible(card)
  await card.scrollIntoViewIfNeeded()
  await expectVisible(card.getByText(/^No hourly data yet\./))
  expect((await card.boundingBox())?.height).toBeLessThan(130)
})

test(
  'an hourly alert says through which hour data was counted, and what the final day showed',
  { tags: ['full'] },
  async ({ desk, signIn, open }) => {
    signIn({ plan: 'agency', siteLimit: 25 })
    const found: AlertHours = { day: today, through: 10, weeks: 4, status: 'preliminary' }
    const preliminary = { metric: 'clicks', current: 224, previous: 800, change: -72, hours: found, final: null } as const
    const alert = shownAlert({
      entity: { kind: 'site', name: shop },
      currentValue: 224,
      previousValue: 800,
      change: -72,
      current: { start: today, end: today },
      previous: null,
      hours: found,
      title: hourlyTitleOf(preliminary),
      description: hourlySentenceOf(preliminary),
    })
    const byHour = todayOf().hours.map(({ hour, clicks, usual }) => ({ hour, value: clicks, usual: usual?.clicks ?? null }))
    const opened = { at: alert.timestamp, from: null, to: 'firing', reason: 'hours_found', by: null } as const
    desk.answer('GET /api/alerts/:id', reportOf({ ...alert, viewed: true, byHour, timeline: [opened] }))
    const page = await open(`/alerts/${alert.id}`)
    await expectVisible(
      page.getByRole('heading', { name: 'Clicks dropped across the site so far on 18 Mar (through 10:00 Pacific), preliminary', level: 1 }),
      page.getByRole('figure', { name: 'Clicks by hour, 18 Mar' }),
    )
    const life = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
    await expectText(life.first(), /Final data will confirm or withdraw this alert/)
    await expectAccessible(page)

    const final = { current: 480, previous: 2_000, change: -76 }
    const confirmed = { ...preliminary, ...final, hours: { ...found, status: 'confirmed' }, final } as const
    const words = `${finalDay('clicks', today, final)}.`
    desk.answer(
      'GET /api/alerts/:id',
      reportOf({
        ...alert,
        hours: confirmed.hours,
        currentValue: 480,
        previousValue: 2_000,
        change: -76,
        title: hourlyTitleOf(confirmed),
        description: hourlySentenceOf(confirmed),
        viewed: true,
        byHour,
        timeline: [
          opened,
          { at: '2026-03-18T18:30:00.000Z', from: 'firing', to: 'firing', reason: 'day_confirmed', detail: words, by: null },
        ],
      }),
    )
    await page.reload()
    await expectVisible(page.getByRole('heading', { name: 'Clicks dropped across the site on 18 Mar', level: 1 }))
    await expectText(
      life.nth(-1),
      /Confirmed.*Final data shows the same change.*Final data for Wednesday, 18 Mar: 480 clicks vs the usual 2,000/s,
    )
    await expectVisible(page.getByText('Hourly, confirmed'))
  },
)

test(
  'without hourly data a line says where to get it, and nothing is requested from Google',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const page = await open('/dashboard')
    await expectVisible(page.getByText('Hourly data and instant alerts are on the Agency plan.'))
    await expectCount(page.getByRole('region', { name: 'Today so far' }), 0)
    expect(desk.asked('GET /api/today')).toEqual([])
  },
)
