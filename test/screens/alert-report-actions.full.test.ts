import type { Page } from 'playwright-core'
import type { AlertReport } from '../../src/contract/alerts/alerts.ts'
import { aboutQuery, atSearchConsole } from '../support/answers/alerts.ts'
import { keepReport, reportOf } from '../support/answers/report.ts'
import { firstRules, keepRules } from '../support/answers/rules.ts'
import { propertyOf, shop, userOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectText,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { expectAccessible } from '../support/browser-accessible.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// The actions in an alert's report, and its timeline.

const life = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

describe('actions', () => {
  test('e acknowledges; the timeline shows it', async ({ desk, open }) => {
    const kept = keepReport(desk, reportOf())
    const page = await open(`/alerts/${kept.report.id}`)
    await expectVisible(life(page))
    await page.keyboard.press('e')
    await expectToast(page, 'success', 'Alert Acknowledged')
    await expectVisible(
      life(page).getByText('Acknowledged', { exact: true }),
      page.getByRole('article').getByText('Acknowledged', { exact: true }),
    )
    expect(kept.report.state).toBe('acknowledged')
    await expectCount(page.getByRole('button', { name: 'Acknowledge', exact: true }), 0)
  })

  test('so does the button, and the focus moves on', async ({ desk, open }) => {
    const kept = keepReport(desk, reportOf())
    const page = await open(`/alerts/${kept.report.id}`)
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).press('Enter')
    await expectFocused(page.getByRole('heading', { level: 1 }))
    await expectText(life(page).last(), /^Acknowledged by ann Today, 19:00$/)
    expect(kept.report.state).toBe('acknowledged')
  })

  test('e does nothing while a menu is open', async ({ desk, open }) => {
    const kept = keepReport(desk, reportOf())
    const page = await open(`/alerts/${kept.report.id}`)
    await page.getByRole('button', { name: /^Snooze: / }).click()
    await expectVisible(page.getByRole('menuitem', { name: '1 day' }))
    await page.keyboard.press('e')
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('menu'))
    expect(desk.asked('POST /api/alerts/acknowledge')).toEqual([])
  })

  test('it is snoozed for a day, a week or until a date, and unsnoozed', async ({ desk, open }) => {
    const kept = keepReport(desk, reportOf())
    const page = await open(`/alerts/${kept.report.id}`)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^Snooze: / }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const expectUntil = (until: string) => expect.poll(() => kept.report.snoozedUntil).toBe(until)
    await choose('1 day')
    await expectVisible(page.getByText('Snoozed until tomorrow at 19:00', { exact: true }))
    await expectUntil('2026-03-19T19:00:00.000Z')
    await expectText(life(page).last(), /^Snoozed until tomorrow at 19:00 by ann Today, 19:00$/)
    await choose('1 week')
    await expectUntil('2026-03-25T19:00:00.000Z')
    await choose('Until a date…')
    await page.getByRole('dialog', { name: 'Snooze until a date' }).getByRole('button', { name: 'Tuesday, 31 March 2026' }).click()
    await expectUntil('2026-03-31T08:00:00.000Z')
    await expectText(life(page).last(), /^Snoozed until 31 Mar at 08:00 by ann/)
    await choose('End snooze')
    await expectText(life(page).last(), 'Snooze ended by ann Ended early. Today, 19:00')
    expect(kept.report.state).toBe('firing')
  })

  test('a snooze that ends by itself is shown', async ({ desk, open }) => {
    const [at, later] = ['2026-03-18T18:00:00.000Z', '2026-03-18T18:30:00.000Z']
    const report = reportOf()
    keepReport(desk, {
      ...report,
      timeline: [
        ...report.timeline,
        { at, from: 'firing', to: 'snoozed', reason: 'snoozed', by: 'ann' },
        { at: later, from: 'snoozed', to: 'firing', reason: 'snooze_over', by: null },
      ],
    })
    const page = await open(`/alerts/${report.id}`)
    await expectText(life(page).filter({ hasText: 'Snooze ended' }).last(), /The alert is still active\./)
  })

  test.for([
    ['its page on its days', reportOf()],
    ['its query on its days', reportOf({ entity: aboutQuery('oak lamp') })],
    ['the property, if it is about the whole site', reportOf({ entity: { kind: 'site', name: shop } })],
  ] as const)('View in GSC opens %s, in a new tab', async ([, report], { desk, open }) => {
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    const link = page.getByRole('link', { name: 'View in GSC (new tab)' })
    await expectAttribute(link, 'href', atSearchConsole(report))
    await expectAttribute(link, 'target', '_blank')
  })

  test('Edit rule leads to the rule, even of another property', async ({ desk, signIn, open }) => {
    const blog = 'https://thecrumbjournal.example/'
    const both = { gscProperties: [propertyOf(), propertyOf({ id: '2', name: blog })], sitesMonitored: 2 }
    signIn(both)
    desk.answer('POST /api/gsc-properties/select', () => {
      signIn({ ...both, selectedProperty: blog })
      return { user: userOf({ ...both, selectedProperty: blog }) }
    })
    const [own, elsewhere] = [firstRules(), firstRules(blog)]
    keepRules(desk, [...own, ...elsewhere])
    const report = reportOf({ conditionId: own[0]!.id })
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    await expectAttribute(page.getByRole('link', { name: 'Edit rule' }), 'href', `/alert-settings?rule=${own[0]!.id}`)

    keepReport(desk, { ...report, target: blog, conditionId: elsewhere[0]!.id })
    await page.reload()
    await page.getByRole('button', { name: 'Edit rule' }).click()
    await expectToast(page, 'success', 'Property Selected', blog)
    // Its card is shown, so the URL no longer needs to name it.
    await expectFocused(page.getByRole('region', { name: 'Clicks drop', exact: true }).getByRole('heading'))
    await expectAddress(page, '/alert-settings')
  })

  test('without its rule the report stays, says so, and offers no rule to edit', async ({ desk, open }) => {
    const report = reportOf({ state: 'recovered', conditionId: null })
    const ended = { at: '2026-03-18T19:00:00.000Z', from: 'firing', to: 'recovered', reason: 'rule_deleted', by: 'ann' } as const
    keepReport(desk, { ...report, timeline: [...report.timeline, ended] })
    const page = await open(`/alerts/${report.id}`)
    await expectVisible(page.getByRole('article').getByText('Recovered', { exact: true }))
    await expectText(life(page).filter({ hasText: 'Ended' }), 'Ended by ann The rule was deleted. Today, 19:00')
    for (const name of ['Edit rule', 'Acknowledge', /^Snooze/]) await expectCount(page.getByRole('button', { name }), 0)
    await expectCount(page.getByRole('link', { name: 'Edit rule' }), 0)
  })
})

test('an alert about the connection says how to fix it', async ({ desk, open }) => {
  const report: AlertReport = {
    ...reportOf({ entity: { kind: 'connection', name: shop }, title: 'Google is no longer connected', description: 'No new data comes.' }),
    current: null,
    previous: null,
    currentValue: null,
    previousValue: null,
    change: null,
    conditionId: null,
    data: [],
    series: [],
    action: { label: 'Reconnect Google', href: '/api/auth/google?redirect=/dashboard' },
    timeline: [{ at: '2026-03-18T18:00:00.000Z', from: null, to: 'firing', reason: 'token_revoked', by: null }],
  }
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  const link = page.getByRole('article').getByRole('link', { name: 'Reconnect Google' })
  await expectAttribute(link, 'href', '/api/auth/google?redirect=/dashboard')
  await expectText(life(page).first(), /^Opened Google access expired or was revoked\./)
  for (const name of [/^Clicks/, 'Top contributors']) await expectCount(section(page, name), 0)
  await expectCount(page.getByRole('slider'), 0)
  await expectAccessible(page)
})
