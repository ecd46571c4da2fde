import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { expectVisible } from './browser-expect.ts'
import { newPerson, refresh, select } from './people.ts'
import type { Visitor } from './visitor.ts'

/** The standing cast: somebody with everything, and people who lack something. */
export type Cast = Record<'demo' | 'newcomer' | 'unconnected' | 'cutOff', Visitor>

/** A place, who goes there, and what they do and see before it is looked at. */
export type Screen = { name: string; who: keyof Cast | null; address: string; see: (page: Page) => Promise<void> }

export async function castOf(app: TestApp): Promise<Cast> {
  const newcomer = await newPerson(app, { email: 'new@example.test' })
  const unconnected = await newPerson(app, { email: 'unconnected@example.test' })
  await unconnected.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  const site = 'https://a-property-with-a-rather-long-name.example/below/a/path/'
  const cutOff = await newPerson(app, { email: 'cut-off@example.test', sites: { [site]: 'empty' } })
  await app.google.call('POST', 'tokens/revoke', { account: 'cut-off@example.test' })
  await select(cutOff, site)
  await refresh(cutOff, site)
  return { demo: await app.demo(), newcomer, unconnected, cutOff }
}

const heading = (name: string) => (page: Page) => expectVisible(page.getByRole('heading', { name }))

async function cards(page: Page): Promise<void> {
  await expectVisible(page.getByRole('region', { name: 'Position' }), page.getByText('complete through'))
}

async function propertyMenu(page: Page): Promise<void> {
  await cards(page)
  await page.getByRole('button', { name: /^Property:/ }).click()
  await expectVisible(page.getByRole('menuitem').last())
}

/** Every screen there is, and the states in which it looks different. A new screen belongs here. */
export const screens: Screen[] = [
  { name: 'login', who: null, address: '/login', see: (page) => expectVisible(page.getByRole('button', { name: 'Login' })) },
  {
    name: 'login with mistakes',
    who: null,
    address: '/login',
    async see(page) {
      await page.getByRole('button', { name: 'Login' }).click()
      await expectVisible(page.getByText('Username must be at least 3 characters'))
    },
  },
  {
    name: 'a message of failure',
    who: null,
    address: '/login?error=auth_failed',
    see: (page) => expectVisible(page.getByText('Authentication Failed')),
  },
  { name: 'not found', who: null, address: '/nowhere', see: heading('404 Page Not Found') },
  { name: 'dashboard', who: 'demo', address: '/dashboard', see: cards },
  {
    name: 'dashboard with a tooltip',
    who: 'demo',
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
    who: 'demo',
    address: '/dashboard',
    async see(page) {
      await cards(page)
      await page.getByRole('button', { name: 'Show Clicks as table' }).click()
      await expectVisible(page.getByRole('table'))
    },
  },
  { name: 'property menu', who: 'demo', address: '/dashboard', see: propertyMenu },
  {
    name: 'import dialog',
    who: 'demo',
    address: '/dashboard',
    async see(page) {
      await propertyMenu(page)
      await page.getByRole('menuitem', { name: 'Import a file…' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Import a file' }))
    },
  },
  { name: 'dashboard without a property', who: 'newcomer', address: '/dashboard', see: heading('No Search Console data available') },
  {
    name: 'dashboard without access',
    who: 'cutOff',
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Connection' }).getByRole('link', { name: 'Reconnect Google' })),
  },
  { name: 'account', who: 'demo', address: '/account', see: heading('Google Integration') },
  {
    name: 'account with its list open',
    who: 'demo',
    address: '/account',
    async see(page) {
      await page.getByRole('combobox', { name: 'Selected property' }).click()
      await expectVisible(page.getByRole('option').last())
    },
  },
  {
    name: 'disconnecting',
    who: 'demo',
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await expectVisible(page.getByRole('alertdialog'))
    },
  },
  {
    name: 'a refused import',
    who: 'demo',
    address: '/account',
    async see(page) {
      await page
        .getByLabel('Export file')
        .setInputFiles({ name: 'Chart.csv', mimeType: 'text/csv', buffer: Buffer.from('Date,Clicks\nx,1\n') })
      await page.getByRole('textbox', { name: 'Property name' }).fill('refused.example')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await expectVisible(page.getByText('Nothing was imported'))
    },
  },
  { name: 'choice of sites', who: 'demo', address: '/onboarding/sites', see: (page) => expectVisible(page.getByRole('checkbox').last()) },
  { name: 'no sites to choose from', who: 'newcomer', address: '/onboarding/sites', see: heading('No Properties Found') },
  { name: 'sites that cannot be listed', who: 'cutOff', address: '/onboarding/sites', see: heading('Unable to Load Properties') },
  { name: 'sites without a connection', who: 'unconnected', address: '/onboarding/sites', see: heading('Connect Google Search Console') },
]

/** Nothing that a screen reader, a keyboard or weak eyes would stumble over, as far as a program can tell. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations, passes } = await (rules ? axe.withRules(rules) : axe).analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`),
  )
  expect(found).toEqual([])
  expect(passes.length).toBeGreaterThan(0)
}

/** Nothing sticks out of the window, so that nobody has to scroll sideways. */
export async function expectWithinWindow(page: Page): Promise<void> {
  const sticksOut = () =>
    page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return []
      const wide = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      return [`${scrollWidth} px in ${clientWidth} px`, ...wide.map((element) => element.outerHTML.slice(0, 160))]
    })
  // A resized window is laid out again a moment later.
  await expect.poll(sticksOut, { timeout: 2_000 }).toEqual([])
}

/** Buttons and links that react to a finger in less than 40 px of height. */
export async function tooSmallForFingers(page: Page): Promise<string[]> {
  // What is open only while something has the focus would cover its neighbours.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  return page.evaluate(() => {
    const isOf = (target: Element, hit: Element | null) => hit !== null && (target.contains(hit) || hit.contains(target))
    // What reacts may be larger than what is drawn, so the page is asked what lies there.
    function reacts(target: Element): boolean {
      target.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = target.getBoundingClientRect()
      const at = (dy: number) => document.elementFromPoint(left + width / 2, top + height / 2 + dy)
      return width >= 38 && isOf(target, at(-19)) && isOf(target, at(19))
    }
    // A link within a sentence is as high as its line.
    return [
      ...document.querySelectorAll(
        'button, a:not([href="#content"]), [role=menuitem], [role=option], input[type=text], input[type=password]',
      ),
    ]
      .filter((element) => element.closest('p, [aria-hidden=true], [data-base-ui-inert]') === null && element.checkVisibility())
      .filter((element) => !reacts(element))
      .map((element) => element.outerHTML.slice(0, 160))
  })
}
