import type { Page } from 'playwright-core'
import { expectVisible } from '../browser-expect.ts'
import { openPalette, palette } from '../palette.ts'
import type { Desk } from '../answers/desk.ts'
import { exploredFrom } from '../answers/explore.ts'
import { agency } from '../answers/sites.ts'
import { figuresOf } from '../answers/analytics.ts'
import { completeThrough, metricsOf } from '../answers/usual.ts'
import { alerted } from './alerted.ts'
import { cutOff, demo, lapsed, newcomer, allChannels, watchful } from './people.ts'
import { cards, heading, type Screen } from './screen.ts'

async function propertyMenu(page: Page): Promise<void> {
  await cards(page)
  await page.getByRole('button', { name: /^Property:/ }).click()
  await expectVisible(page.getByRole('menuitem').last())
}

/** Opens the palette, and waits for all results of a text. */
const searching = (text: string) => async (page: Page) => {
  await openPalette(page, text)
  await expectVisible(palette(page).getByRole('option'))
  if (text === 'lamp') await expectVisible(palette(page).getByRole('group', { name: 'Pages' }))
}

/** Everything is stored. */
function explorer(desk: Desk): void {
  demo(desk)
  desk.answer('GET /api/explore', ({ query }) => exploredFrom(query))
  desk.answer('GET /api/brand', { terms: ['lumen'], suggested: true })
  desk.answer('GET /api/explore/saved', [{ id: '1', kind: 'segment', name: 'Lamps', content: 'query contains lamp' }])
}

/** Also in Discover. */
function feed(desk: Desk): void {
  demo(desk)
  const period = { start: '2026-03-10', end: completeThrough }
  desk.answer(
    'GET /api/analytics/search-types',
    (['web', 'discover'] as const).map((type) => ({ type, period, compared: null, ...figuresOf(1_204, 24_080, 0), previous: null })),
  )
  desk.answer('GET /api/metrics', {
    ...metricsOf(),
    position: 0,
    positionPrevious: null,
    positionData: metricsOf().positionData.map(() => 0),
  })
}

const exploring = (page: Page) =>
  expectVisible(page.getByText('of clicks', { exact: false }).first(), page.getByText('Impressions').first())

/** The dashboard, and what can be opened on every screen. */
export const dashboardScreens: readonly Screen[] = [
  { name: 'dashboard', answers: demo, address: '/dashboard', see: cards },
  {
    name: 'dashboard with hours, none of which is there yet',
    answers: allChannels,
    address: '/dashboard',
    async see(page) {
      const today = page.getByRole('region', { name: 'Today so far' })
      await expectVisible(today)
      await today.scrollIntoViewIfNeeded()
      await expectVisible(today.getByText('No hourly data yet', { exact: false }))
    },
  },
  {
    name: 'dashboard of a plan without hours',
    answers: watchful,
    address: '/dashboard',
    see: (page) => expectVisible(page.getByText('Hourly data and instant alerts are on the Agency plan.')),
  },
  {
    name: 'dashboard with a tooltip',
    answers: demo,
    address: '/dashboard',
    async see(page) {
      await cards(page)
      await page
        .getByRole('button', { name: /vs previous 7 days/ })
        .last()
        .focus()
      await expectVisible(page.getByRole('tooltip'))
    },
  },
  {
    name: 'dashboard with a table',
    answers: demo,
    address: '/dashboard',
    async see(page) {
      await cards(page)
      await page.getByRole('button', { name: 'Show Clicks as table' }).click()
      await expectVisible(page.getByRole('table'))
    },
  },
  {
    name: 'dashboard of Discover',
    answers: feed,
    address: '/dashboard?type=discover',
    async see(page) {
      await cards(page)
      await expectVisible(page.getByRole('combobox', { name: 'Search type' }), page.getByText('not available for this search type'))
    },
  },
  { name: 'dashboard without a property', answers: newcomer, address: '/dashboard', see: heading('No Search Console data available') },
  {
    name: 'dashboard without access',
    answers: cutOff,
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Connection' }).getByRole('link', { name: 'Reconnect Google' })),
  },
  {
    name: 'a channel that leads nowhere any more',
    answers: allChannels,
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Slack alerts' })),
  },
  {
    name: 'dashboard with open alerts',
    answers: alerted,
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Open alerts' }).getByRole('article')),
  },
  {
    name: 'dashboard with paused sites',
    answers: lapsed,
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Paused sites' })),
  },
  { name: 'explore', answers: explorer, address: '/explore', see: exploring },
  {
    name: 'explore by week with filters',
    answers: explorer,
    address: `/explore?range=16m&compare=year&grain=week&by=date&segment=1&where=${encodeURIComponent('page not matches /blog/\nclicks from 10\nbrand is no')}`,
    see: exploring,
  },
  {
    name: 'a filter of the explorer',
    answers: explorer,
    address: '/explore?by=page',
    async see(page) {
      await page.getByRole('button', { name: 'Add filter' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Add filter' }).getByRole('textbox', { name: 'Value' }))
    },
  },
  { name: 'explore without a property', answers: newcomer, address: '/explore', see: heading('Property Required') },
  { name: 'sites', answers: agency, address: '/sites', see: heading('Sites') },
  { name: 'sites as a grid', answers: agency, address: '/sites?view=grid', see: heading('Sites') },
  {
    name: 'tags of a site',
    answers: agency,
    address: '/sites',
    async see(page) {
      await page.getByRole('button', { name: 'Tags for lumenandloom.example' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Tags' }).getByRole('button', { name: 'Add' }))
    },
  },
  { name: 'no sites', answers: newcomer, address: '/sites', see: heading('No sites yet') },
  { name: 'search', answers: demo, address: '/dashboard', see: searching('') },
  { name: 'search with results', answers: demo, address: '/dashboard', see: searching('lamp') },
  { name: 'search without a property', answers: newcomer, address: '/account', see: searching('settings') },
  {
    name: 'help menu',
    answers: demo,
    address: '/settings',
    async see(page) {
      await page.getByRole('button', { name: 'Help', exact: true }).click()
      await expectVisible(page.getByRole('menuitem', { name: 'Help Center' }))
    },
  },
  {
    name: 'keyboard shortcuts',
    answers: demo,
    address: '/settings',
    async see(page) {
      await expectVisible(page.getByRole('banner'))
      await page.keyboard.press('?')
      await expectVisible(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    },
  },
  { name: 'property menu', answers: demo, address: '/dashboard', see: propertyMenu },
  {
    name: 'import dialog',
    answers: demo,
    address: '/dashboard',
    async see(page) {
      await propertyMenu(page)
      await page.getByRole('menuitem', { name: 'Import a file…' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Import a file' }))
    },
  },
  {
    name: 'notifications',
    answers: alerted,
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Notifications, 99+ unread across all sites' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem'))
    },
  },
  {
    name: 'no notifications',
    answers: lapsed,
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Notifications', exact: true }).click()
      await heading('No unread alerts')(page)
    },
  },
  {
    name: 'welcome',
    answers: demo,
    address: '/dashboard',
    async see(page) {
      await page.evaluate(() => localStorage.clear())
      await page.reload()
      await expectVisible(page.getByText('Step 1 of 4'))
    },
  },
]
