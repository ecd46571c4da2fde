// `npm run screenshots`: the pictures of README.md, and of emails and PDFs, taken from the real product. `npm run screenshots -- reports
// developers`: only those whose names start with these.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import startStores from '../setup/postgres.ts'
import { sites, type TestApp } from './app.ts'
import { launchChromium } from './browser-chromium.ts'
import { startShortDemo } from './browser-demo.ts'
import { openPage, type VisitOptions } from './browser-page.ts'
import { takeMailPictures } from './mail-pictures.ts'
import { hoursAreStored, takePdfPicture } from './report-pictures.ts'

const directory = path.resolve(import.meta.dirname, '../../docs/screenshots')
const desk = { width: 1_440, height: 900 }
const pdfFile = 'reports-pdf.png'

type Picture = { file: string; address: string; options: VisitOptions; visitor?: true; ready: (page: Page) => Promise<void> }

async function cardsAreThere(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Position' }).waitFor()
  await page.getByText('complete through').first().waitFor()
  // The figures are the same inside and outside of the demo.
  await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
}

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name, level: 1 }).waitFor()

/** A screen of figures, in both themes. */
function analytics(name: string, address: string, shown: string): Picture[] {
  return (['light', 'dark'] as const).map((theme) => ({
    file: `${name}-${theme}.png`,
    address,
    options: { ...desk, theme },
    ready: shows(shown),
  }))
}

/** Ready once this text is there and nothing is still loading. */
function shows(text: string): Picture['ready'] {
  return async (page) => {
    await page.getByText(text).first().waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
  }
}

async function hoursAreThere(page: Page): Promise<void> {
  const today = page.getByRole('region', { name: 'Today so far' })
  await today.scrollIntoViewIfNeeded()
  await today.getByText('Preliminary').waitFor()
  await cardsAreThere(page)
}

const pictures: Picture[] = [
  { file: 'dashboard-light.png', address: '/dashboard', options: { ...desk, theme: 'light' }, ready: cardsAreThere },
  { file: 'dashboard-dark.png', address: '/dashboard', options: { ...desk, theme: 'dark' }, ready: cardsAreThere },
  { file: 'dashboard-phone.png', address: '/dashboard', options: { width: 375, height: 812, touch: true, scale: 2 }, ready: cardsAreThere },
  {
    file: 'login.png',
    address: '/login',
    options: desk,
    visitor: true,
    ready: (page) => page.getByRole('button', { name: 'Login' }).waitFor(),
  },
  ...analytics('sites', '/sites', 'All sites'),
  ...analytics('insights', '/insights', 'Potential Impact Score'),
  ...analytics('keyword-opportunities', '/keyword-opportunities', 'Opportunity score'),
  ...analytics('page-analytics', '/page-analytics', 'Performance'),
  { file: 'alert-settings.png', address: '/alert-settings', options: desk, ready: (page) => heading(page, 'Alert Configuration') },
  { file: 'account.png', address: '/account', options: desk, ready: (page) => page.getByRole('button', { name: 'Disconnect' }).waitFor() },
  ...analytics('reports', '/reports', 'Data is complete through'),
  {
    file: 'reports-phone.png',
    address: '/reports',
    options: { width: 375, height: 812, touch: true, scale: 2 },
    ready: shows('Data is complete through'),
  },
  ...analytics('developers', '/developers', 'Never used'),
]

/** What users on the Agency plan additionally see. */
const ofAgency: Picture[] = [
  { file: 'today-light.png', address: '/dashboard', options: { ...desk, theme: 'light' }, ready: hoursAreThere },
  { file: 'today-dark.png', address: '/dashboard', options: { ...desk, theme: 'dark' }, ready: hoursAreThere },
]

const asked = process.argv.slice(2)
const isWanted = ({ file }: { file: string }): boolean => asked.length === 0 || asked.some((start) => file.startsWith(start))

async function takePictures(app: TestApp): Promise<void> {
  const chromium = await launchChromium()
  const demo = await app.demo()
  await mkdir(directory, { recursive: true })
  await demo.send('POST', '/api/keys', { name: 'Looker Studio', scope: 'read', days: 365 })
  await demo.send('POST', '/api/keys', { name: 'Assistant on my laptop', scope: 'read', days: null })

  async function take(wanted: readonly Picture[]): Promise<void> {
    for (const { file, address, options, visitor, ready } of wanted) {
      const page = await openPage(chromium, { url: app.url, now: app.google.now(), ...(!visitor && { cookies: demo.cookies }) }, options)
      await page.goto(address)
      await ready(page)
      await page.evaluate(() => document.fonts.ready)
      await page.mouse.move(0, 0)
      await page.screenshot({ path: path.join(directory, file) })
      await page.context().close()
      log(file)
    }
  }
  await take(pictures.filter(isWanted))
  if (isWanted({ file: pdfFile })) {
    await takePdfPicture(app, chromium, path.join(directory, pdfFile))
    log(pdfFile)
  }
  const hourly = ofAgency.filter(isWanted)
  if (hourly.length > 0) {
    await hoursAreStored(app, sites.shop)
    await take(hourly)
  }
  // These come last: for them the demo account changes its settings, and a day passes.
  if (isWanted({ file: 'alert-mail' }) || isWanted({ file: 'digest-mail' }))
    for (const file of await takeMailPictures(app, chromium, directory)) log(file)
  await chromium.close()
}

const log = (file: string): boolean => process.stdout.write(`docs/screenshots/${file}\n`)

const endStores = await startStores()
// A complete month, and the one before to compare it with.
const app = await startShortDemo({ from: '2026-01-01' })
try {
  await takePictures(app)
} finally {
  await app.close()
  await endStores?.()
}
