import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { NewCondition } from '../../src/contract/alert-conditions.ts'
import { alertReport, alerts, type Alert, type AlertReport } from '../../src/contract/alerts.ts'
import { eachDay } from '../../src/core/analytics/days.ts'
import { type Alerted, alerted, alertedAtOnce } from '../support/alerted.ts'
import { sites, type TestApp, type Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { spoken } from '../support/browser-cards.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { runJob } from '../support/jobs.ts'
import { newPerson, ownerOf, propertyId, refresh, stoppedAs } from '../support/people.ts'

// One alert's full report, of what the rules find in the sample properties and in dictated figures.

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let owner: Visitor
/** Everything that was found in the sample properties. */
let all: Alert[]
/** Whose alerts are acted upon. */
let actor: Alerted

const of = (site: string) => `property=${encodeURIComponent(site)}`
const rules: [string, NewCondition][] = [
  [sites.shop, { type: 'position', title: 'Position drop of pages', monitor: 'top_pages' }],
  [sites.shop, { type: 'position', kind: 'lost_query', title: 'Lost ranking', monitor: 'site', minimumImpressions: 10 }],
  [sites.local, { type: 'clicks', title: 'Clicks drop of the site', monitor: 'site', comparison: 'previous_7_days' }],
]

beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  owner = await app.demo()
  for (const [site, rule] of rules) await owner.send('POST', `/api/alert-conditions?${of(site)}`, rule)
  for (const site of [sites.shop, sites.local]) await owner.send('POST', `/api/alerts/evaluate?${of(site)}`)
  all = alerts.parse((await owner.get('/api/alerts?property=all')).body)
  actor = await alerted(app, 'actor')
}, 240_000)
afterAll(() => demo.close())

/** What a screen or the server comes to say after a while. */
const expectSoon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000, interval: 50 })

const reportOf = async (person: Visitor, id: string): Promise<AlertReport> =>
  alertReport.parse((await person.get(`/api/alerts/${id}`)).body)

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const life = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const slider = (page: Page) => page.getByRole('slider')
const valueText = (page: Page) => slider(page).getAttribute('aria-valuetext')

async function open(person: Visitor, { id, title }: Pick<Alert, 'id' | 'title'>, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.visitAs(person, `/alerts/${id}`, options)
  await expectVisible(page.getByRole('heading', { name: title, level: 1, exact: true }), life(page))
  return page
}

/** The alert of an incident that the stand-in has scripted. */
async function ofIncident(id: string, isMeant: (alert: Alert) => boolean): Promise<Alert> {
  const incident = z.object({ id: z.string(), page: z.string().nullable(), query: z.string().nullable() })
  const { incidents } = z.object({ incidents: z.array(incident) }).parse(await app.google.call('GET', 'incidents'))
  const about = incidents.find((each) => each.id === id)
  const name = about?.page ?? about?.query
  const alert = all.find((each) => isMeant(each) && (name === undefined || name === null || each.entity.name === name))
  if (!alert) throw new Error(`Nothing was found of ${id}`)
  return alert
}
const pageLost = () => ofIncident('shop-page-lost', ({ type, entity }) => type === 'clicks' && entity.kind === 'page')
function siteAlert(site: string): Alert {
  const alert = all.find(({ entity }) => entity.kind === 'site' && entity.name === site)
  if (!alert) throw new Error(`Nothing was found of ${site}`)
  return alert
}

// Display as SPEC §9 has it, worked out from the answer of the API.
const whole = (type: Alert['type'], value: number): string =>
  type === 'ctr' ? `${(value * 100).toFixed(2)}%` : type === 'position' ? value.toFixed(1) : Math.round(value).toLocaleString('en-US')
const compact = (value: number): string => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
function shown(type: Alert['type'], value: number | null): string {
  if (value === null) return '–'
  const exact = whole(type, value)
  return (type === 'clicks' || type === 'impressions') && value >= 1_000 ? `${compact(value)} ${exact}` : exact
}
const days = ({ start, end }: { start: string; end: string }): string =>
  start.slice(0, 7) === end.slice(0, 7) ? `${Number(start.slice(8))}–${spoken(end, true)}` : `${spoken(start)}–${spoken(end, true)}`

describe('the figures of the report are those of the list', () => {
  test.each<[string, string | RegExp, () => Promise<Alert>]>([
    ['a page that is lost', 'Clicks of a page', pageLost],
    ['its position', 'Position of a page', () => ofIncident('shop-page-lost', ({ type }) => type === 'position')],
    [
      'a query that is lost',
      'Position for a query',
      () => ofIncident('shop-query-lost', ({ type, currentValue }) => type === 'position' && currentValue === null),
    ],
    [
      'a site that lost more than half',
      'Clicks of the whole site',
      () => ofIncident('local-clicks-drop', ({ entity }) => entity.name === sites.local),
    ],
    ['a CTR', 'CTR for a query', async () => all.find(({ type }) => type === 'ctr')!],
  ])('%s', async (_name, heading, alertOf) => {
    const alert = await alertOf()
    const { type, previousValue, currentValue, change, previous, current } = alert
    const page = await open(owner, alert)
    const figure = (name: string) =>
      section(page, heading)
        .locator('dl > div')
        .filter({ hasText: new RegExp(`^${name}`) })
    await expectText(figure('Before'), `Before ${shown(type, previousValue)} ${days(previous!)}`)
    await expectText(figure('Now'), `Now ${shown(type, currentValue)} ${days(current!)}`)
    if (change === null) await expectText(figure('Change'), 'Change Gone: there is nothing now')
    else if (type === 'position') await expectText(figure('Change'), `Change Dropped ${change.toFixed(1)} positions vs last week`)
    else await expectText(figure('Change'), `Change Down ${Math.abs(change).toFixed(1)}% vs last week`)

    // The days of the chart, by its table, add up to the same.
    await page.getByRole('button', { name: /^Show as table: When did/ }).click()
    const rows = page.getByRole('dialog').getByRole('row')
    await expectVisible(rows)
    const told = await rows.evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)))
    const { series } = await reportOf(owner, alert.id)
    expect(told.slice(1).map(([date]) => date)).toEqual(series.toReversed().map(({ date }) => spoken(date, true)))
    if (type !== 'clicks') return
    const sum = (window: { start: string; end: string }) =>
      eachDay(window.start, window.end)
        .map((date) => Number(told.find(([day]) => day === spoken(date, true))?.[1]?.replaceAll(',', '')))
        .reduce((total, value) => total + value, 0)
    expect([sum(previous!), sum(current!)]).toEqual([previousValue, currentValue])
  })
})

test('figures in thousands are told to the last digit as well', async () => {
  const alert = (await actor.found()).find(({ title }) => title === 'Clicks dropped: https://actor.example/lamps')!
  const page = await open(actor.person, alert)
  const figures = section(page, 'Clicks of a page').locator('dl')
  await expectText(figures, 'Before 14K 14,000 3–9 Mar 2026 Now 5.6K 5,600 10–16 Mar 2026 Change Down 60.0% vs last week')
})

test('what contributed is listed, whole names on hover and focus, and copied', async () => {
  const alert = siteAlert(sites.local)
  const { contributors } = await reportOf(owner, alert.id)
  expect(contributors.length).toBeGreaterThan(2)
  const page = await open(owner, alert)
  const table = section(page, 'What contributed').getByRole('table')
  const rows = await table.getByRole('row').evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)))
  expect(rows[0]).toEqual(['Page', 'Before', 'Now', 'Change'])
  expect(rows.slice(1)).toEqual(
    contributors.map(({ entity, previousValue, currentValue, change }) => [
      entity.name,
      whole('clicks', previousValue ?? 0),
      whole('clicks', currentValue ?? 0),
      `${(change ?? 0) < 0 ? 'Down' : 'Up'} ${Math.abs(change ?? 0).toFixed(1)}%`,
    ]),
  )

  const name = contributors[0]!.entity.name
  const cell = table.getByRole('button', { name: `Copy ${name}`, exact: true })
  await cell.focus()
  await expectText(page.getByRole('tooltip'), name)
  await page.keyboard.press('Escape')
  await expectGone(page.getByRole('tooltip'))
  await cell.hover()
  await expectText(page.getByRole('tooltip'), name)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await cell.click()
  await expectText(page.getByRole('tooltip'), 'Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(name)
})

test('opening the report makes the alert Viewed, and its life says by whom', async () => {
  const alert = (await actor.found()).find(({ viewed }) => !viewed)!
  const page = await open(actor.person, alert)
  await expectSoon(async () => (await reportOf(actor.person, alert.id)).viewed).toBe(true)
  await expectVisible(life(page).getByText('Viewed', { exact: true }))
  expect((await life(page).allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['Opened', 'Viewed by actor'])
  await expectVisible(life(page).getByText('The condition of its rule was met.', { exact: true }), life(page).getByText('Today, 20:00'))
  await expectVisible(page.getByRole('link', { name: 'Active Alerts' }).last())
  expect(await page.title()).toBe(`${alert.title} · Ranklark`)
})

describe('the chart', () => {
  test('reads every day with the arrow keys', async () => {
    const alert = await pageLost()
    const { series } = await reportOf(owner, alert.id)
    const page = await open(owner, alert)
    const weekday = (date: string) => new Date(date).toLocaleString('en-GB', { weekday: 'short', timeZone: 'UTC' })
    const said = ({ date, value, complete }: AlertReport['series'][number]) =>
      `${weekday(date)} ${spoken(date, true)}: Clicks ${value === null ? 'no data' : whole('clicks', value)}${complete || value === null ? '' : ' (preliminary)'}`
    const lastKnown = series.findLastIndex(({ value }) => value !== null)
    await slider(page).focus()
    expect(await valueText(page)).toBe(said(series[lastKnown]!))
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowLeft')
      expect(await valueText(page)).toBe(said(series[lastKnown - step]!))
    }
    await page.keyboard.press('Home')
    const texts = new Set<string | null>()
    for (let day = 0; day < series.length; day += 1) {
      texts.add(await valueText(page))
      await page.keyboard.press('ArrowRight')
    }
    expect([...texts]).toEqual(series.map(said))
    expect(series.some(({ complete, value }) => !complete && value !== null)).toBe(true)
    await expectVisible(page.locator('svg text').getByText('preliminary', { exact: true }))
  })

  test('shows the day under the pointer, and nothing once it has left or Escape is pressed', async () => {
    const alert = await pageLost()
    const { series, current } = await reportOf(owner, alert.id)
    const page = await open(owner, alert)
    const plot = slider(page).locator('..')
    await plot.scrollIntoViewIfNeeded()
    const box = (await plot.boundingBox())!
    const index = series.findIndex(({ date }) => date === current!.start)
    await page.mouse.move(box.x + (box.width * (index + 0.5)) / series.length, box.y + box.height / 2)
    const told = page.getByText(`Clicks: ${series[index]?.value}`, { exact: true })
    await expectVisible(told)
    await expectVisible(page.getByText(new RegExp(`^\\w{3} ${spoken(current!.start, true)}$`)))
    await page.mouse.move(0, 0)
    await expectGone(told)
    await slider(page).focus()
    const last = page.getByText(/^Clicks: .*\(preliminary\)$/)
    await expectVisible(last)
    await page.keyboard.press('Escape')
    await expectGone(last)
  })

  test('has both periods shaded and named, and when it was opened on the time axis', async () => {
    const alert = await pageLost()
    const page = await open(owner, alert)
    const short = ({ start, end }: { start: string; end: string }) => days({ start, end }).replace(/ \d{4}$/, '')
    const band = (name: string, window: { start: string; end: string }) =>
      page.locator('svg g').filter({ hasText: `${name}: ${short(window)}` })
    const { series } = await reportOf(owner, alert.id)
    const widthOf = async (box: Locator) => (await box.boundingBox())?.width ?? 0
    const day = (await widthOf(slider(page).locator('..'))) / series.length
    for (const [name, window] of [
      ['Before', alert.previous!],
      ['Now', alert.current!],
    ] as const)
      expect((await widthOf(band(name, window).locator('rect'))) / day).toBeCloseTo(7, 0)

    const mark = page.getByRole('button', { name: `Opened, ${spoken(alert.timestamp, true)}` })
    await mark.focus()
    await expectText(page.getByRole('tooltip'), `Opened, ${spoken(alert.timestamp, true)}`)
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('tooltip'))
    await mark.hover()
    await expectVisible(page.getByRole('tooltip'))
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
  })

  test('of positions runs downwards from 1', async () => {
    const page = await open(owner, await ofIncident('shop-page-lost', ({ type }) => type === 'position'))
    const ticks = page.locator('svg g:has(> line):not(:has(> rect)) > text')
    await expectVisible(ticks)
    const places = await ticks.evaluateAll((found) =>
      found.map((tick) => [Number(tick.textContent), tick.getBoundingClientRect().top] as const),
    )
    expect(places[0]?.[0]).toBe(1)
    expect(places.map(([value]) => value)).toEqual(places.toSorted((a, b) => a[1] - b[1]).map(([value]) => value))
    expect(places.length).toBeGreaterThan(2)
  })

  test('lays last year under this one', async () => {
    const { person, alert } = await yearAgo()
    const page = await open(person, alert)
    await expectVisible(page.locator('svg text').getByText('A year earlier', { exact: true }))
    await slider(page).focus()
    await page.keyboard.press('Home')
    const { series, previousSeries, current, previous } = await reportOf(person, alert.id)
    const at = series.findIndex(({ date }) => date === current!.start)
    for (let day = 0; day < at; day += 1) await page.keyboard.press('ArrowRight')
    expect(previousSeries[at]?.date).toBe(previous!.start)
    expect(await valueText(page)).toBe(
      `Mon 9 Mar 2026: Clicks ${series[at]?.value}; A year earlier ${spoken(previous!.start, true)}: ${previousSeries[at]?.value}`,
    )
    await expectVisible(page.getByText('vs 10–16 Mar 2025', { exact: true }), page.locator('svg text').getByText('Before: 10–16 Mar 2025'))
  })
})

/** Somebody whose site has half the clicks of a year ago, written into the store: to fetch so many days takes long. */
async function yearAgo(): Promise<{ person: Visitor; alert: Alert }> {
  const site = 'https://years.example/'
  const person = await ownerOf(app, site, { days: 3, email: 'years@example.test' })
  const { sql, facts } = await app.stores()
  const id = await propertyId(app, site)
  const load = await facts.beginLoad(id, 'web')
  const stored = eachDay('2024-12-01', '2026-03-15')
  const rows = stored.map((date, index) => ({
    date,
    keys: [],
    clicks: (date > '2026-01-31' ? 50 : 100) + (index % 7),
    impressions: 900,
    position: 4,
  }))
  await load.write('total', rows)
  await load.publish(new Map([['total', stored]]))
  await sql(`UPDATE property_syncs SET complete_through = '2026-03-15' WHERE property_id = $1`, [id])
  await sql(`UPDATE search_type_syncs SET backfill_to = '2024-12-01', backfilled_from = '2024-12-01' WHERE property_id = $1`, [id])
  const rule = { type: 'clicks', title: 'Clicks drop', monitor: 'site', comparison: 'same_period_last_year' }
  await person.send('POST', '/api/alert-conditions', rule)
  await person.send('POST', '/api/alerts/evaluate')
  const alert = alerts.parse((await person.get('/api/alerts')).body).find(({ previous }) => previous?.start === '2025-03-10')
  if (!alert) throw new Error('Nothing was found against last year')
  return { person, alert }
}

describe('what can be done', () => {
  const stateOf = async ({ id }: Alert) => (await reportOf(actor.person, id)).state

  test('e acknowledges, and so does the button; the timeline tells both', async () => {
    const [first, second] = (await actor.found()).filter(({ state }) => state === 'firing')
    const page = await open(actor.person, first!)
    await page.keyboard.press('e')
    await expectToast(page, 'success', 'Alert Acknowledged')
    await expectSoon(() => stateOf(first!)).toBe('acknowledged')
    await expectVisible(
      life(page).getByText('Acknowledged', { exact: true }),
      page.getByRole('article').getByText('Acknowledged', { exact: true }),
    )
    expect(await page.getByRole('button', { name: 'Acknowledge', exact: true }).count()).toBe(0)

    const other = await open(actor.person, second!)
    await other.getByRole('button', { name: 'Acknowledge', exact: true }).press('Enter')
    await expectFocused(other.getByRole('heading', { level: 1 }))
    await expectSoon(() => stateOf(second!)).toBe('acknowledged')
    await expectText(life(other).last(), /^Acknowledged by actor Today, 20:00$/)
  })

  test('e does nothing while a menu is open', async () => {
    const alert = (await actor.found()).find(({ state }) => state === 'firing')!
    const page = await open(actor.person, alert)
    await page.getByRole('button', { name: /^Snooze: / }).click()
    await expectVisible(page.getByRole('menuitem', { name: '1 day' }))
    await page.keyboard.press('e')
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('menu'))
    expect(await stateOf(alert)).toBe('firing')
  })

  test('it is snoozed for a day, a week or until a date, and brought back', async () => {
    const alert = (await actor.found()).findLast(({ state }) => state === 'firing')!
    const page = await open(actor.person, alert)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^Snooze: / }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const until = async () => (await reportOf(actor.person, alert.id)).snoozedUntil
    await choose('1 day')
    await expectVisible(page.getByText('Snoozed until tomorrow, 20:00', { exact: true }))
    await expectSoon(until).toBe('2026-03-19T20:00:00.000Z')
    await expectText(life(page).last(), /^Snoozed until tomorrow, 20:00 by actor Today, 20:00$/)
    await choose('1 week')
    await expectSoon(until).toBe('2026-03-25T20:00:00.000Z')
    await choose('Until a date…')
    await page.getByRole('dialog', { name: 'Snooze until a date' }).getByRole('button', { name: 'Tuesday, 31 March 2026' }).click()
    await expectSoon(until).toBe('2026-03-31T08:00:00.000Z')
    await expectText(life(page).last(), /^Snoozed until 31 Mar, 08:00 by actor/)
    await choose('End the snooze')
    await expectSoon(() => stateOf(alert)).toBe('firing')
    await expectText(life(page).last(), 'Snooze ended by actor Before its time. Today, 20:00')
  })

  test('a snooze that ends by itself is told', async () => {
    const alert = (await actor.found()).findLast(({ state }) => state === 'firing')!
    const { sql } = await app.stores()
    await actor.person.send('POST', `/api/alerts/${alert.id}/snooze`, { until: '2026-03-19T20:00:00Z' })
    await sql(`UPDATE alerts SET snoozed_until = '2026-03-18T19:00:00Z' WHERE id = $1`, [alert.id])
    await runJob(app, 'alerts-due')
    const page = await open(actor.person, alert)
    await expectText(life(page).filter({ hasText: 'Snooze ended' }).last(), /Its time was over, and the alert still lasts\./)
  })

  test('View in GSC opens the property there, in a new tab', async () => {
    const alert = await pageLost()
    const page = await open(owner, alert)
    const link = page.getByRole('link', { name: 'View in GSC (new tab)' })
    expect(await link.getAttribute('href')).toBe(`https://search.google.com/search-console?resource_id=${encodeURIComponent(alert.target)}`)
    expect(await link.getAttribute('target')).toBe('_blank')
  })

  test('Edit rule leads to the rule, of another property too', async () => {
    const alert = siteAlert(sites.local)
    const page = await open(owner, alert)
    await page.getByRole('button', { name: 'Edit rule' }).click()
    await expectToast(page, 'success', 'Property Selected', sites.local)
    await expectAddress(page, `/alert-settings?rule=${alert.conditionId}`)
    await owner.send('POST', '/api/gsc-properties/select', { selectedProperty: sites.shop })
    const own = await open(owner, await pageLost())
    expect(await own.getByRole('link', { name: 'Edit rule' }).getAttribute('href')).toBe(
      `/alert-settings?rule=${(await pageLost()).conditionId}`,
    )
  })

  test('without its rule the report stays, says so, and offers no rule to edit', async () => {
    const { person, found: own } = await alertedAtOnce(app, 'ruleless')
    const [alert] = await own()
    const rule = z.object({ id: z.string() }).parse((await person.send('POST', '/api/alert-conditions', { type: 'clicks' })).body)
    const { sql } = await app.stores()
    await sql('UPDATE alerts SET condition_id = $1 WHERE id = $2', [rule.id, alert!.id])
    await person.send('DELETE', `/api/alert-conditions/${rule.id}`)
    const page = await open(person, alert!)
    await expectVisible(page.getByRole('article').getByText('Recovered', { exact: true }))
    await expectText(life(page).filter({ hasText: 'Ended' }), 'Ended by ruleless Its rule was deleted. Today, 20:00')
    for (const name of ['Edit rule', 'Acknowledge', /^Snooze/]) expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Edit rule' }).count()).toBe(0)
  })
})

describe('what was sent', () => {
  test('is listed with channel, address, state and time', async () => {
    const { person, found: own } = await alertedAtOnce(app, 'told-by-mail')
    const [alert] = await own()
    const { sql } = await app.stores()
    const values = `SELECT user_id, properties.id, $2::bigint, 'opened', now() FROM properties WHERE name = $1`
    const site = alert!.target
    await sql(
      `WITH message AS (INSERT INTO notifications (user_id, property_id, channel, kind, message, state, next_attempt_at, give_up_at, sent_to, sent_at, created_at)
         SELECT user_id, id, 'slack', 'alerts', '{}', 'sent', now(), now(), '#seo', '2026-03-18T19:30:00Z', now() FROM properties WHERE name = $1
         RETURNING id)
       INSERT INTO delivery_news (user_id, property_id, alert_id, event, at, channel, state, detail, notification_id)
       SELECT given.*, told.channel, told.state, told.detail, CASE told.channel WHEN 'slack' THEN message.id END FROM (${values}) AS given, message,
         (VALUES ('email', 'suppressed', 'Critical alerts are switched off.'), ('slack', 'told', NULL), ('sms', 'waiting', NULL)) AS told (channel, state, detail)`,
      [site, alert!.id],
    )
    const page = await open(person, alert!)
    const message = (words: string) => page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: words })
    await expectText(message('Email'), 'Email to told-by-mail@example.test Not sent Alert opened Critical alerts are switched off.')
    await expectText(message('Slack'), 'Slack to #seo Sent Alert opened, Today, 19:30')
    await expectText(message('SMS'), 'SMS Waiting Alert opened, in a digest')
  })

  test('where nothing was, it says why and leads to what can be changed', async () => {
    const { person, found: own } = await alertedAtOnce(app, 'untold')
    const page = await open(person, (await own())[0]!)
    await expectVisible(section(page, 'Messages').getByText(/^No message was sent about this alert, because no channel was on/))
    await page.getByRole('link', { name: 'Choose what is sent, and where to' }).click()
    await expectAddress(page, '/alert-settings')
  })
})

test('an alert about the connection says how to mend it', async () => {
  const site = 'https://cut.example/'
  const person = await ownerOf(app, site, { days: 3, email: 'cut@example.test' })
  await app.google.call('POST', 'tokens/revoke', { account: 'cut@example.test' })
  await refresh(person, site)
  await stoppedAs(person, site, 'token_revoked')
  await runJob(app, 'alerts-due')
  const [alert] = alerts.parse((await person.get('/api/alerts')).body)
  const page = await open(person, alert!)
  const main = page.getByRole('article')
  expect(await main.getByRole('link', { name: 'Reconnect Google' }).getAttribute('href')).toBe('/api/auth/google?redirect=/dashboard')
  await expectText(life(page).first(), /^Opened Google no longer accepts our access\./)
  for (const name of [/^Clicks/, 'What contributed']) expect(await section(page, name).count()).toBe(0)
  expect(await slider(page).count()).toBe(0)
  await expectAccessible(page)
})

describe('an address that leads to nothing', () => {
  test('of somebody else’s alert, of none or of no number is told the same way, with the way back', async () => {
    const stranger = await newPerson(app, { email: 'stranger@example.test' })
    const { id, title } = await pageLost()
    for (const [person, address] of [
      [stranger, `/alerts/${id}`],
      [owner, '/alerts/999999999'],
      [owner, '/alerts/nonsense'],
    ] as const) {
      const page = await browser.visitAs(person, address)
      await expectVisible(page.getByRole('heading', { name: 'Alert not found' }))
      expect(await page.content()).not.toContain(title)
      await page.getByRole('link', { name: 'Back to Active Alerts' }).click()
      await expectAddress(page, '/alerts')
    }
    expect((await reportOf(owner, id)).title).toBe(title)
  })

  test('a report that does not load can be tried again', async () => {
    const alert = await pageLost()
    const page = await open(owner, alert)
    const isReport = (url: URL) => url.pathname === `/api/alerts/${alert.id}`
    await page.route(isReport, (route) => route.abort())
    await page.reload()
    await expectVisible(page.getByRole('alert').getByRole('heading', { name: 'The report could not be loaded' }))
    await page.unroute(isReport)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('heading', { name: alert.title, level: 1 }), life(page))
  })
})

test('a name that looks like markup is text', async () => {
  const site = 'https://markup.example/'
  const name = `${site}<img src=x onerror="document.title='broken'">`
  const { person } = await alertedAtOnce(app, 'markup')
  const { sql } = await app.stores()
  const [row] = await sql<{ id: string }>(
    `UPDATE alerts SET entity_name = $1 WHERE id = (SELECT min(alerts.id) FROM alerts
    JOIN properties ON properties.id = property_id WHERE name = $2) RETURNING id`,
    [name, site],
  )
  const page = await open(person, { id: String(row?.id), title: `Clicks dropped: ${name}` })
  await expectVisible(page.locator('header code').getByText(name, { exact: true }), page.getByRole('button', { name: `Copy ${name}` }))
  expect(await page.locator('article img').count()).toBe(0)
})

test.each([
  ['clicks of a page', pageLost],
  ['a site', async () => siteAlert(sites.local)],
  ['a position', () => ofIncident('shop-page-lost', ({ type }) => type === 'position')],
])('nothing bars anybody from a report of %s, in either theme, at a desk or on a phone', async (_name, alertOf) => {
  const page = await open(owner, await alertOf(), { theme: 'light' })
  await expectAccessible(page)
  await slider(page).focus()
  await expectAccessible(page)
  await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
  await expectAccessible(page, ['color-contrast'])
  const heightOf = async () => (await page.locator('figure').boundingBox())?.height
  const height = await heightOf()
  for (const width of [1920, 1440, 1024, 768, 640]) {
    await page.setViewportSize({ width, height: 900 })
    await expectWithinWindow(page)
    // Nothing below the chart moves with the window.
    expect(await heightOf()).toBe(height)
  }
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await expectWithinWindow(page)
  }
  expect(await tooSmallForFingers(page)).toEqual([])
  await expectAccessible(page)
})
