// `npm run screenshots`: the pictures of the landing page (src/site/pictures), taken from the real product.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { shotFile, type ShotName, shots, shotScales, type ShotTheme, shotThemes, type ShotView } from '../../src/site/shots.ts'
import startStores from '../setup/postgres.ts'
import { sites, type TestApp } from './app.ts'
import { launchChromium } from './browser-chromium.ts'
import { startShortDemo } from './browser-demo.ts'
import { openPage } from './browser-page.ts'
import { alertMail } from './mail-pictures.ts'
import { hoursAreStored } from './report-pictures.ts'
import type { Visitor } from './visitor.ts'

const directory = path.resolve(import.meta.dirname, '../../src/site/pictures')
/** Months, so that a backtest has something to look back on. */
const firstDay = '2025-07-01'
const quality = 82

/** Widths at which rules are in two columns, and one. */
const ruleWindow = { desk: { width: 1_280, height: 800 }, phone: { width: 375, height: 812 } }

type Look = { view: ShotView; theme: ShotTheme; scale: number }
type Corner = { x: number; y: number }

const looks: readonly Look[] = (['desk', 'phone'] as const).flatMap((view) =>
  shotThemes.flatMap((theme) => shotScales.map((scale) => ({ view, theme, scale }))),
)

/** Playwright can't write WebP, which takes a third of the bytes; Chromium can. */
async function take(page: Page, name: ShotName, { view, theme, scale }: Look, from: Corner = { x: 0, y: 0 }): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.mouse.move(0, 0)
  const session = await page.context().newCDPSession(page)
  const clip = { ...from, ...shots[name][view], scale }
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip })
  const file = shotFile(name, view, theme, scale)
  await writeFile(path.join(directory, file), Buffer.from(data, 'base64'))
  process.stdout.write(`src/site/pictures/${file}\n`)
}

/** The position of something, which must be as large as the landing page says. */
async function cornerOf(place: Locator, name: ShotName, view: ShotView): Promise<Corner> {
  await place.scrollIntoViewIfNeeded()
  const box = await place.boundingBox()
  const { width, height } = shots[name][view]
  if (box === null || Math.round(box.width) !== width || Math.round(box.height) !== height) {
    throw new Error(`${name} for a ${view} is ${box?.width} × ${box?.height}: src/site/shots.ts says ${width} × ${height}`)
  }
  return { x: box.x, y: box.y }
}

async function open(chromium: Browser, app: TestApp, demo: Visitor, address: string, { view, theme }: Look): Promise<Page> {
  const size = view === 'desk' ? shots.dashboard.desk : { width: 375, height: 812 }
  const page = await openPage(
    chromium,
    { url: app.url, now: app.google.now(), cookies: demo.cookies },
    { ...size, theme, touch: view === 'phone' },
  )
  await page.goto(address)
  await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
  return page
}

async function takeScreens(chromium: Browser, app: TestApp, demo: Visitor): Promise<void> {
  // Installations that sell nothing show the same pictures: they may not name a plan.
  await hoursAreStored(app, sites.shop)
  await demo.send('POST', '/api/alert-conditions', { type: 'clicks', title: 'Site-wide clicks', monitor: 'site', threshold: 15 })
  for (const look of looks) {
    const page = await open(chromium, app, demo, '/dashboard', look)
    await page.getByRole('region', { name: 'Position' }).waitFor()
    await page.getByText('complete through').first().waitFor()
    await page.getByRole('region', { name: 'Today so far' }).waitFor()
    await take(page, 'dashboard', look)

    await page.setViewportSize(ruleWindow[look.view])
    await page.goto('/alert-settings')
    const rule = page.getByRole('region', { name: 'Clicks drop', exact: true })
    await rule.getByText(/^Would have alerted on/).waitFor()
    await take(page, 'backtest', look, await cornerOf(rule, 'backtest', look.view))
    await page.context().close()
  }
}

async function takeMails(chromium: Browser, app: TestApp, demo: Visitor): Promise<void> {
  const { html } = await alertMail(app, demo)
  for (const look of looks) {
    const context = await chromium.newContext({
      viewport: shots.mail[look.view],
      colorScheme: look.theme,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.setContent(html)
    await take(page, 'mail', look)
    await context.close()
  }
}

await mkdir(directory, { recursive: true })
const endStores = await startStores()
const app = await startShortDemo({ from: firstDay })
try {
  const chromium = await launchChromium()
  const demo = await app.demo()
  // The emails first: what has been found for the screens, no email tells again.
  await takeMails(chromium, app, demo)
  await takeScreens(chromium, app, demo)
  await chromium.close()
} finally {
  await app.close()
  await endStores?.()
}
