// SPEC §2, "Alert History". Pages, export and the narrow list: ../alert-history.
import type { Page } from 'playwright-core'
import { queryAlert } from '../../support/answers/alerts.ts'
import { keepAlerts } from '../../support/answers/kept-alerts.ts'
import { shop } from '../../support/answers/usual.ts'
import { expectAddress, expectCount, expectVisible } from '../../support/browser-expect.ts'
import { expect, test } from '../../support/screen-test.ts'

const wide = { width: 1_440, height: 900 }
const rows = (page: Page) => page.getByRole('table', { name: 'Alerts' }).locator('tbody').getByRole('row')
const severity = (page: Page) => page.getByRole('group', { name: 'Severity' })

test('a table filtered by severity: all, critical, warning, positive', async ({ desk, open }) => {
  keepAlerts(desk, [
    queryAlert('one', 0, { severity: 'critical', timestamp: '2026-03-18T09:00:00.000Z' }),
    queryAlert('two', 0, { severity: 'warning', timestamp: '2026-03-17T09:00:00.000Z' }),
    queryAlert('three', 0, { severity: 'warning', timestamp: '2026-03-10T09:00:00.000Z' }),
    queryAlert('four', 0, { severity: 'positive', timestamp: '2025-11-03T09:00:00.000Z', currentValue: 260, change: 30 }),
  ])
  const page = await open('/alert-history', wide)
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Alert History', exact: true }), rows(page))
  expect(
    await severity(page)
      .getByRole('radio')
      .evaluateAll((all) => all.map((radio) => radio.parentElement?.textContent)),
  ).toEqual(['All', 'Critical', 'Warning', 'Positive'])
  for (const [choice, names, address] of [
    ['All', ['one', 'two', 'three', 'four'], '/alert-history'],
    ['Critical', ['one'], '/alert-history?severity=critical'],
    ['Warning', ['two', 'three'], '/alert-history?severity=warning'],
    ['Positive', ['four'], '/alert-history?severity=positive'],
  ] as const) {
    await severity(page).getByText(choice, { exact: true }).click()
    await expectAddress(page, address)
    await expect
      .poll(async () => (await rows(page).getByRole('rowheader').allInnerTexts()).map((text) => /“(.*?)”/.exec(text)?.[1]))
      .toEqual(names)
  }
  // Today, yesterday, a day of another month, a day of another year.
  await severity(page).getByText('All', { exact: true }).click()
  await expect
    .poll(() => rows(page).getByRole('time').allInnerTexts())
    .toEqual(['Today, 09:00', 'Yesterday, 09:00', '10 Mar', '3 Nov 2025'])
})

for (const [tags, lists] of [
  [[], [['with a property', shop]]],
  [['full'], [['without one', null]]],
] as const)
  test.for(lists)(
    'an empty list shows sample rows under each filter, each of which says that it is one: %s',
    { tags: [...tags] },
    async ([, selectedProperty], { desk, signIn, open }) => {
      signIn({ selectedProperty })
      // Without a property, nothing is requested.
      if (selectedProperty === null) for (const route of ['GET /api/alerts', 'GET /api/alerts/count'] as const) desk.refuse(route, 409)
      const page = await open('/alert-history', wide)
      for (const [choice, count] of [
        ['All', 4],
        ['Critical', 1],
        ['Warning', 2],
        ['Positive', 1],
      ] as const) {
        await severity(page).getByText(choice, { exact: true }).click()
        await expect.poll(() => rows(page).count()).toBe(count)
        for (const row of await rows(page).all())
          await expectVisible(
            row.getByText('Sample', { exact: true }),
            ...(choice === 'All' ? [] : [row.getByText(choice, { exact: true })]),
          )
      }
    },
  )

test('with alerts, an unused severity shows none, and no samples', async ({ desk, open }) => {
  keepAlerts(desk, [queryAlert('one', 0, { severity: 'critical' })])
  const page = await open('/alert-history?severity=warning', wide)
  await expectVisible(page.getByRole('heading', { name: 'No warning alerts', exact: true }))
  await expectCount(page.getByText('Sample', { exact: true }), 0)
})
