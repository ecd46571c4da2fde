import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import type { TestBrowser, VisitOptions } from './browser.ts'
import { expectVisible } from './browser-expect.ts'
import { newPerson } from './people.ts'
import type { Visitor } from './visitor.ts'

/** Somebody in a certain place who sees a certain thing, once `open` has answered. */
export type Screen = { name: string; open(options: VisitOptions): Promise<Page> }

/** Every screen there is, and the states in which it looks different. A new screen belongs here. */
export async function everyScreen(app: TestApp, browser: TestBrowser): Promise<Screen[]> {
  const demo = await app.demo()
  const newcomer = await newPerson(app, { email: 'new@example.test' })
  const stranger = await newPerson(app, { email: 'unconnected@example.test' })
  await stranger.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })

  const screen = (name: string, who: Visitor | null, address: string, see: (page: Page) => Promise<void>): Screen => ({
    name,
    async open(options) {
      const page = who ? await browser.visitAs(who, address, options) : await browser.visit(address, options)
      await see(page)
      return page
    },
  })
  const heading = (name: string) => (page: Page) => expectVisible(page.getByRole('heading', { name }))
  const cards = (page: Page) => expectVisible(page.getByRole('region', { name: 'Position' }), page.getByText('complete through'))

  return [
    screen('login', null, '/login', (page) => expectVisible(page.getByRole('button', { name: 'Login' }))),
    screen('login with mistakes', null, '/login', async (page) => {
      await page.getByRole('button', { name: 'Login' }).click()
      await expectVisible(page.getByText('Username must be at least 3 characters'))
    }),
    screen('login that failed', null, '/login?error=auth_failed', (page) => expectVisible(page.getByText('Authentication Failed'))),
    screen('not found', null, '/nowhere', heading('404 Page Not Found')),
    screen('dashboard', demo, '/dashboard', cards),
    screen('dashboard with a tooltip', demo, '/dashboard', async (page) => {
      await cards(page)
      await page.getByRole('button', { name: /vs previous 7 days/ }).last().focus()
      await expectVisible(page.getByRole('tooltip'))
    }),
    screen('dashboard with a table', demo, '/dashboard', async (page) => {
      await cards(page)
      await page.getByRole('button', { name: 'Show Clicks as table' }).click()
      await expectVisible(page.getByRole('table'))
    }),
    screen('dashboard with the property menu', demo, '/dashboard', async (page) => {
      await cards(page)
      await page.getByRole('button', { name: /^Property:/ }).click()
      await expectVisible(page.getByRole('menuitem').last())
    }),
    screen('import dialog', demo, '/dashboard', async (page) => {
      await cards(page)
      await page.getByRole('button', { name: /^Property:/ }).click()
      await page.getByRole('menuitem', { name: 'Import a file…' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Import a file' }))
    }),
    screen('dashboard without a property', newcomer, '/dashboard', heading('No Search Console data available')),
    screen('account', demo, '/account', heading('Google Integration')),
    screen('account with its list open', demo, '/account', async (page) => {
      await page.getByRole('combobox', { name: 'Selected property' }).click()
      await expectVisible(page.getByRole('option').last())
    }),
    screen('disconnecting', demo, '/account', async (page) => {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await expectVisible(page.getByRole('alertdialog'))
    }),
    screen('refused import', demo, '/account', async (page) => {
      await page.getByLabel('Export file').setInputFiles({ name: 'Chart.csv', mimeType: 'text/csv', buffer: Buffer.from('Date,Clicks\nx,1\n') })
      await page.getByRole('textbox', { name: 'Property name' }).fill('refused.example')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await expectVisible(page.getByText('Nothing was imported'))
    }),
    screen('choice of sites', demo, '/onboarding/sites', (page) => expectVisible(page.getByRole('checkbox').last())),
    screen('no sites to choose from', newcomer, '/onboarding/sites', heading('No Properties Found')),
    screen('sites without a connection', stranger, '/onboarding/sites', heading('Connect Google Search Console')),
  ]
}

/** Nothing that a screen reader, a keyboard or weak eyes would stumble over, as far as a program can tell. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${what}: ${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`))
  expect(found).toEqual([])
}

/** What sticks out to the right of the window, outermost first. */
export async function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= wide) return []
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > wide + 0.5)
      .map((element) => element.outerHTML.slice(0, 160))
  })
}
