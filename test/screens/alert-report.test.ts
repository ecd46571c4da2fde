import type { Page } from 'playwright-core'
import { eachDay } from '../../src/core/analytics/days.ts'
import type { AlertReport } from '../../src/contract/alerts.ts'
import { keepReport, reportOf } from '../support/answers/report.ts'
import { shop } from '../support/answers/usual.ts'
import { spoken } from '../support/browser-cards.ts'
import { expectAddress, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// One alert's full report: what it tells. What can be done there, and its chart, have files of their own.

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const life = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const lamps = 'https://lumenandloom.example/lamps'
const aboutQuery = { kind: 'query', name: 'brass lamp' } as const

describe('the figures of the report are those of the list', () => {
  const figures = (before: string, now: string, change: string) => ({
    Before: `Before ${before} 3–9 Mar 2026`,
    Now: `Now ${now} 10–16 Mar 2026`,
    Change: `Change ${change}`,
  })
  test.each<[string, string, Partial<AlertReport>, Record<string, string>]>([
    [
      'a page that is lost',
      'Clicks of a page',
      { previousValue: 1_400, currentValue: 0, change: -100 },
      figures('1.4K 1,400', '0', 'Down 100.0% vs last week'),
    ],
    [
      'its position',
      'Position of a page',
      { type: 'position', previousValue: 3.2, currentValue: 9.7, change: 6.5 },
      figures('3.2', '9.7', 'Dropped 6.5 positions vs last week'),
    ],
    [
      'a query that is lost',
      'Position for a query',
      { type: 'position', entity: aboutQuery, previousValue: 4.1, currentValue: null, change: null },
      figures('4.1', '–', 'Gone: there is nothing now'),
    ],
    [
      'a site that lost more than half',
      'Clicks of the whole site',
      { entity: { kind: 'site', name: shop }, previousValue: 910, currentValue: 364, change: -60 },
      figures('910', '364', 'Down 60.0% vs last week'),
    ],
    [
      'a CTR',
      'CTR for a query',
      { type: 'ctr', entity: aboutQuery, previousValue: 0.05, currentValue: 0.03, change: -40 },
      figures('5.00%', '3.00%', 'Down 40.0% vs last week'),
    ],
  ])('%s', async (_name, heading, change, told, { desk, open }: never) => {
    void [heading, change, told, desk, open]
  })
})
