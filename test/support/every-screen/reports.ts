import { expectVisible } from '../browser-expect.ts'
import { demo, newcomer, told, visitor } from './people.ts'
import { heading, type Screen } from './screen.ts'

/** What is made of the figures: keyword opportunities, and reports for others. */
export const reportScreens: readonly Screen[] = [
  ...['opportunities', 'analysis', 'movement', 'competing', 'brand'].map((tab): Screen => ({
    name: `keyword opportunities: ${tab}`,
    answers: demo,
    address: `/keyword-opportunities?tab=${tab}`,
    // Of the demo, no keyword is new.
    see: (page) => expectVisible(page.getByRole('main').getByText(/complete through 15 Mar|^No new keywords$/)),
  })),
  {
    name: 'keyword opportunities: how the score is made',
    answers: demo,
    address: '/keyword-opportunities',
    async see(page) {
      await page.getByRole('button', { name: 'How the score is made' }).click()
      await expectVisible(page.getByRole('dialog').getByRole('link', { name: 'More about the score' }))
    },
  },
  {
    name: 'keyword opportunities without a property',
    answers: newcomer,
    address: '/keyword-opportunities',
    see: heading('Property Required'),
  },
  { name: 'reports without a whole month', answers: demo, address: '/reports', see: heading('No complete month yet') },
  {
    name: 'report of a week',
    answers: demo,
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
    answers: told,
    address: '/reports?tab=schedules',
    async see(page) {
      await page.getByRole('button', { name: 'New schedule' }).click()
      await page.getByRole('button', { name: 'Create schedule' }).click()
      await expectVisible(page.getByText('Enter at least one recipient'))
    },
  },
  {
    name: 'reports: a client',
    answers: told,
    address: '/reports?tab=clients',
    see: (page) => expectVisible(page.getByRole('article', { name: 'Oak & Elm' })),
  },
  {
    name: 'reports: a brand',
    answers: told,
    address: '/reports?tab=brand',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Preview' })),
  },
  { name: 'reports: no links', answers: told, address: '/reports?tab=links', see: heading('No links yet') },
  { name: 'reports: no PDFs', answers: told, address: '/reports?tab=pdfs', see: heading('No PDFs yet') },
  { name: 'a shared report that was withdrawn', answers: visitor, address: '/shared/made-up', see: heading('This link does not work') },
]
