import { eachDay } from '../../../src/core/analytics/days.ts'
import { consecutivePeriods } from '../../../src/core/analytics/periods.ts'
import type { Page } from 'playwright-core'
import { panelAt } from '../analytics-screens.ts'
import { figuresOf, manyPages, periodsOf } from '../answers/analytics.ts'
import type { Desk } from '../answers/desk.ts'
import { reportOf } from '../answers/reports.ts'
import { expectVisible } from '../browser-expect.ts'
import { demo, newcomer, allChannels, visitor } from './people.ts'
import { heading, type Screen } from './screen.ts'

function withoutMonth(desk: Desk): void {
  demo(desk)
  desk.answer('GET /api/reports/periods', [])
  desk.answer('GET /api/reports/periodic', null)
}

/** A report of the last whole week, in which alerts opened and ended. */
function withWeek(desk: Desk): void {
  demo(desk)
  const [period, previous] = [
    { start: '2026-03-09', end: '2026-03-15' },
    { start: '2026-03-02', end: '2026-03-08' },
  ]
  const daysOf = ({ start, end }: typeof period, clicks: number) =>
    eachDay(start, end).map((date, index) => ({ date, ...figuresOf(clicks + index * 9, 4_000 + index * 60, 8.4) }))
  desk.answer('GET /api/reports/periods', [period, previous])
  desk.answer(
    'GET /api/reports/periodic',
    reportOf('pro', {
      kind: 'week',
      period,
      previous,
      days: daysOf(period, 180),
      previousDays: daysOf(previous, 160),
      completeThrough: '2026-03-16',
    }),
  )
}

/** One page lost clicks three times in a row. */
function decaying(desk: Desk): void {
  demo(desk)
  desk.answer('GET /api/pages/decay', ({ query }) => ({
    periods: consecutivePeriods(periodsOf(query).current, 7, 4),
    complete: true,
    pages: [{ page: manyPages[0]?.page ?? '', clicks: [280, 210, 140, 70], impressions: [2_800, 2_800, 2_800, 2_800] }],
  }))
}

const panel = (page: Page) => expectVisible(page.getByRole('dialog').getByRole('slider', { name: 'Clicks' }))

/** What is derived from the figures: insights, pages, keyword opportunities, and reports for others. */
export const reportScreens: readonly Screen[] = [
  ...['recommendations', 'performance', 'monitoring', 'audience', 'trends'].map((tab): Screen => ({
    name: `insights: ${tab}`,
    answers: demo,
    address: `/insights?tab=${tab}`,
    see: (page) => expectVisible(page.getByRole('region', { name: 'Potential Impact Score' }), page.getByRole('tabpanel')),
  })),
  { name: 'insights without a property', answers: newcomer, address: '/insights', see: heading('Property Required') },
  ...['performance', 'insights', 'decay'].map((tab): Screen => ({
    name: `page analytics: ${tab}`,
    answers: decaying,
    address: `/page-analytics?tab=${tab}`,
    see: (page) => expectVisible(page.getByText('Whole site: 130'), page.getByRole('tabpanel').getByRole('link')),
  })),
  {
    name: 'page analytics: the panel of a page',
    answers: demo,
    address: `/page-analytics${panelAt('page', manyPages[0]?.page ?? '')}`,
    see: panel,
  },
  { name: 'page analytics without a property', answers: newcomer, address: '/page-analytics', see: heading('Property Required') },
  ...['opportunities', 'analysis', 'movement', 'competing', 'brand'].map((tab): Screen => ({
    name: `keyword opportunities: ${tab}`,
    answers: demo,
    address: `/keyword-opportunities?tab=${tab}`,
    see: (page) => expectVisible(page.getByRole('main').getByText(/complete through 16 Mar/)),
  })),
  {
    name: 'keyword opportunities: how the score is made',
    answers: demo,
    address: '/keyword-opportunities',
    async see(page) {
      await page.getByRole('button', { name: 'How the score is calculated' }).click()
      await expectVisible(page.getByRole('dialog').getByRole('link', { name: 'More about the score' }))
    },
  },
  {
    name: 'keyword opportunities without a property',
    answers: newcomer,
    address: '/keyword-opportunities',
    see: heading('Property Required'),
  },
  { name: 'reports without a whole month', answers: withoutMonth, address: '/reports', see: heading('No complete month yet') },
  {
    name: 'report of a week',
    answers: withWeek,
    address: '/reports?kind=week',
    see: (page) =>
      expectVisible(page.getByRole('heading', { name: 'Weekly report: 9–15 Mar 2026' }), page.getByRole('heading', { name: 'Alerts' })),
  },
  { name: 'reports without a property', answers: newcomer, address: '/reports', see: heading('Property Required') },
  ...['schedules', 'clients', 'brand', 'links', 'pdfs'].map((tab): Screen => ({
    name: `reports that the plan does not have: ${tab}`,
    answers: newcomer,
    address: `/reports?tab=${tab}`,
    see: (page) => expectVisible(page.getByRole('link', { name: 'See plans' })),
  })),
  {
    name: 'reports: a new schedule with mistakes',
    answers: allChannels,
    address: '/reports?tab=schedules',
    async see(page) {
      await page.getByRole('button', { name: 'New schedule' }).click()
      await page.getByRole('button', { name: 'Create schedule' }).click()
      await expectVisible(page.getByText('Add at least one recipient'))
    },
  },
  {
    name: 'reports: a client',
    answers: allChannels,
    address: '/reports?tab=clients',
    see: (page) => expectVisible(page.getByRole('article', { name: 'Oak & Elm' })),
  },
  {
    name: 'reports: a brand',
    answers: allChannels,
    address: '/reports?tab=brand',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Preview' })),
  },
  { name: 'reports: no links', answers: allChannels, address: '/reports?tab=links', see: heading('No links yet') },
  { name: 'reports: no PDFs', answers: allChannels, address: '/reports?tab=pdfs', see: heading('No PDFs yet') },
  { name: 'a shared report that was withdrawn', answers: visitor, address: '/shared/made-up', see: heading("This link doesn't work") },
]
