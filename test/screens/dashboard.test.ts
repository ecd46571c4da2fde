import type { Page } from 'playwright-core'
import { explainState } from '../../src/server/sync/problems.ts'
import { atSearchConsole, queryAlert } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { changesFrom, exploredFrom } from '../support/answers/explore.ts'
import { historyFrom } from '../support/answers/history.ts'
import { fourWeeks, metricsFrom } from '../support/answers/metrics.ts'
import { completeThrough, shop, shopName, syncOf } from '../support/answers/usual.ts'
import { cardOf, type Cards, cardsOfFile, expectCards, metrics, spoken } from '../support/browser-cards.ts'
import { expectAddress, expectAttribute, expectCount, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { openPalette, option } from '../support/palette.ts'
import { expect, test } from '../support/screen-test.ts'

/** What the cards must show for `fourWeeks`. */
const cards = (): Cards => cardsOfFile(fourWeeks())
const chipOf = (page: Page, metric: (typeof metrics)[number]) => cardOf(page, metric).getByRole('button', { name: /vs previous 7 days/ })

test('each card says what its change is relative to, on hover and on focus', { tags: ['full'] }, async ({ desk, open }) => {
  desk.answer('GET /api/metrics', metricsFrom(fourWeeks()))
  const page = await open('/dashboard')
  const { figures, periods } = cards()
  for (const metric of metrics) {
    await chipOf(page, metric).hover()
    await expectText(page.getByRole('tooltip'), `${figures[metric].previous} → ${figures[metric].value}, ${periods}`)
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
  }
  await chipOf(page, 'CTR').focus()
  await expectVisible(page.getByRole('tooltip'))
  await page.keyboard.press('Escape')
  await expectGone(page.getByRole('tooltip'))
})

test('the sparkline shows each of 28 days, by mouse and by keyboard', { tags: ['full'] }, async ({ desk, open }) => {
  desk.answer('GET /api/metrics', metricsFrom(fourWeeks()))
  const page = await open('/dashboard')
  const { days } = cards()
  expect(days).toHaveLength(28)
  for (const metric of metrics) {
    const card = cardOf(page, metric)
    const line = card.getByRole('slider', { name: `${metric} by day` })
    const said = (day: Cards['days'][number] | undefined) => (day ? `${spoken(day.date)}: ${day.figures[metric]}` : '')

    // Other events on the day follow its figure (annotations.test.ts).
    const figureOf = async () => (await line.getAttribute('aria-valuetext'))?.split(';')[0]

    await line.focus()
    expect(await figureOf()).toBe(said(days.at(-1)))
    await page.keyboard.press('ArrowLeft')
    expect(await figureOf()).toBe(said(days.at(-2)))
    await page.keyboard.press('Home')
    expect(await figureOf()).toBe(said(days[0]))

    const box = await line.boundingBox()
    if (!box) throw new Error(`${metric} has no line`)
    await page.mouse.move(box.x + (box.width * 10) / 27, box.y + box.height / 2)
    await expectVisible(card.getByText(said(days[10]), { exact: true }))
  }
})

test('during a sync a bar shows its progress, and the new figures appear when it ends', { tags: ['full'] }, async ({ desk, open }) => {
  desk.answer('GET /api/metrics', metricsFrom(fourWeeks()))
  const page = await open('/dashboard')
  await expectCards(page, cards())
  await expectCount(page.getByRole('progressbar', { name: 'Syncing' }), 0)

  const underWay = syncOf({ running: true, daysLeft: 3, daysTotal: 4, secondsLeft: 100 })
  desk.answer('POST /api/sync', underWay)
  desk.answer('GET /api/sync', [underWay])
  await page.getByRole('button', { name: 'Refresh' }).click()
  const bar = page.getByRole('progressbar', { name: 'Syncing' })
  await expectVisible(bar, page.getByText('Importing history: 1 of 4 days, about 2 minutes left'))
  expect(await bar.evaluate((element: HTMLProgressElement) => element.value / element.max)).toBe(0.25)
  await expect.poll(() => desk.asked('POST /api/sync').map(({ body }) => body)).toEqual([{ property: shop }])

  desk.answer('GET /api/metrics', metricsFrom(fourWeeks(3)))
  desk.answer('GET /api/sync', [syncOf({ lastSyncedAt: '2026-03-18T18:59:00.000Z' })])
  await expectCards(page, cardsOfFile(fourWeeks(3)))
  await expectGone(bar)
  await expectVisible(page.getByText('Last updated: Today, 18:59, complete through 16 Mar'))
})

test('a property without access, and a Google outage, are named', { tags: ['full'] }, async ({ desk, open }) => {
  desk.answer('GET /api/sync', [syncOf({ state: 'permission_missing', ...explainState('permission_missing', shop, null) })])
  const page = await open('/dashboard')
  const banner = page.getByRole('region', { name: 'Connection' })
  await expectVisible(
    banner.getByText(`Your Google account has no access to ${shopName}.`),
    banner.getByRole('link', { name: 'Open Search Console' }),
  )

  const retryAt = '2026-03-18T19:10:00.000Z'
  desk.answer('POST /api/sync', syncOf({ state: 'quota', ...explainState('quota', shop, null), retryAt }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectVisible(banner.getByText(/^Google's quota for .* Next attempt: Today, 19:10\.$/))
  await expectCount(banner.getByRole('link'), 0)

  desk.answer('POST /api/sync', syncOf())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectGone(banner)
})

for (const [tags, rows] of [
  [[], [['the usual days', '', true]]],
  [
    ['full'],
    [
      ['other days and another interval', '?compare=year&grain=week', false],
      ['a segment', '?segment=7', true],
    ],
  ],
] as const)
  test.for([...rows])(
    'a week without impressions is zeros with their change, and the controls stay: %s',
    { tags: [...tags] },
    async ([, asked, drawn], { desk, open }) => {
      desk.answer('GET /api/explore/saved', [{ id: '7', kind: 'segment', name: 'Lamps', content: 'page contains lamp' }])
      const days = fourWeeks().slice(0, drawn ? 21 : 0)
      const gone = { clicks: 0, clicksChange: -100, impressions: 0, impressionsChange: -100, ctr: 0, position: 0, positionChange: 0 }
      desk.answer('GET /api/metrics', {
        ...metricsFrom(fourWeeks(), gone),
        clicksData: days.map(({ clicks }) => clicks),
        impressionsData: days.map(({ impressions }) => impressions),
        ctrData: days.map(() => 0.05),
        positionData: days.map(({ position }) => position),
        dates: days.map(({ date }) => date),
      })
      const page = await open(`/dashboard${asked}`)
      const clicks = page.getByRole('region', { name: 'Clicks', exact: true })
      await expectText(clicks.getByRole('paragraph').first(), '0')
      await expectVisible(
        clicks.getByRole('button', { name: /^Down 100\.0%/ }),
        page.getByText(/^No clicks in the last 7 days, after [\d,]+ /),
        page.getByRole('combobox', { name: 'Time Range' }),
        page.getByRole('combobox', { name: 'Compare' }),
        page.getByRole('combobox', { name: 'Interval' }),
      )
      await expectCount(page.getByText('No Search Console data available'), 0)
    },
  )

test(
  'during the first import the first figures appear as they come: cards, chart, changes and audience, without a storm of requests',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const figures = ['GET /api/metrics', 'GET /api/analytics/history', 'GET /api/explore/changes', 'GET /api/explore'] as const
    for (const route of figures) desk.answer(route, null)
    const arriving = (daysLeft: number) =>
      desk.answer('GET /api/sync', [
        syncOf({
          running: true,
          daysLeft,
          daysTotal: 489,
          secondsLeft: 600,
          ...(daysLeft === 489 && { lastSyncedAt: null, completeThrough: null, firstDate: null, lastDate: null }),
        }),
      ])
    arriving(489)
    const page = await open('/dashboard')
    await expectVisible(page.getByText('Fetching your first days of data from Google.', { exact: false }), page.getByText('No history yet'))
    await expect.poll(() => desk.asked('GET /api/sync').length).toBeGreaterThan(1)
    const askedBefore = figures.map((route) => desk.asked(route).length)

    desk.answer('GET /api/metrics', metricsFrom(fourWeeks()))
    desk.answer('GET /api/analytics/history', ({ query }) => historyFrom(query, { property: shop, completeThrough, days: 14 }))
    desk.answer('GET /api/explore/changes', ({ query }) => changesFrom(query, exploredFrom(query, 3).rows))
    desk.answer('GET /api/explore', ({ query }) => exploredFrom(query, 3))
    let left = 482
    for (const seen of [
      page.getByRole('region', { name: 'Clicks', exact: true }),
      page.getByRole('figure', { name: 'Clicks and Impressions by day' }),
      page.getByRole('region', { name: 'Biggest changes' }).getByRole('listitem').first(),
      page.getByRole('list', { name: 'Devices' }).getByRole('listitem').first(),
    ]) {
      arriving((left -= 7))
      await seen.scrollIntoViewIfNeeded()
      await expectVisible(seen)
    }
    // A chunk a second: the figures are requested after 0, 2, 6 and 14 seconds.
    for (const end = performance.now() + 4_000; performance.now() < end;) {
      arriving((left -= 7))
      await page.waitForTimeout(500)
    }
    for (const [at, route] of figures.entries())
      expect(desk.asked(route).length - (askedBefore[at] ?? 0), route).toBeLessThanOrEqual(route === 'GET /api/explore' ? 8 : 4)
  },
)

test('with more open alerts than are loaded, nothing is claimed about all of them', async ({ desk, open }) => {
  const openWith = (firing: number) =>
    keepAlerts(
      desk,
      Array.from({ length: 203 }, (_, i) => queryAlert(`lamp ${i}`, i + 1, { state: i === firing ? 'firing' : 'acknowledged' })),
    )
  desk.answer('GET /api/search', { keywords: [], pages: [] })
  openWith(202)
  const page = await open('/dashboard')
  await expectVisible(page.getByText('The latest 200 open alerts are acknowledged or snoozed.'))
  await expectGone(page.getByText('Nothing needs your attention'))
  openWith(0)
  await page.reload()
  await openPalette(page, 'acknowledge')
  await expectVisible(option(page, 'Acknowledge the latest open alert'))
})

test('more open alerts than one answer holds are counted', { tags: ['full'] }, async ({ desk, open }) => {
  keepAlerts(
    desk,
    Array.from({ length: 203 }, (_, i) => queryAlert(`lamp ${i}`, 8)),
  )
  const page = await open('/dashboard')
  await expectVisible(page.getByRole('link', { name: 'All active alerts (203)' }))
})

test('the most severe open alert has a card, until somebody has handled it; active rules are listed while all is quiet', async ({
  desk,
  open,
}) => {
  const page = await open('/dashboard')
  const openAlerts = page.getByRole('region', { name: 'Open alerts' })
  await expectVisible(openAlerts.getByRole('heading', { name: 'No open alerts' }), openAlerts.getByText(/^1 rule is on: Clicks drop\./))

  const lamp = queryAlert('lamp', 8)
  const desks = queryAlert('desk', 10, { severity: 'critical' })
  keepAlerts(desk, [
    desks,
    queryAlert('over', 9, { severity: 'critical', state: 'recovered' }),
    lamp,
    queryAlert('oak', 7, { severity: 'positive', currentValue: 260, change: 30 }),
  ])
  await page.reload()
  const card = openAlerts.getByRole('article')
  const expectCard = async (name: string): Promise<void> => {
    await expectVisible(openAlerts.getByRole('article', { name: `Clicks dropped: “${name}”` }))
    await expectCount(card, 1)
  }
  await expectCard('desk')
  await expectVisible(openAlerts.getByRole('link', { name: 'All active alerts (3)' }))
  await expectAttribute(card.getByRole('link', { name: /^View in GSC/ }), 'href', atSearchConsole(desks))

  await card.getByRole('button', { name: /^Acknowledge/ }).click()
  await expectCard('lamp')
  await card.getByRole('link', { name: 'View full report' }).click()
  await expectAddress(page, `/alerts/${lamp.id}`)
})
