// `npm run screenshots`: the pictures of README.md, and of what mails look like, taken of the real product.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { TestApp } from './app.ts'
import { launchChromium } from './browser-chromium.ts'
import { startShortDemo } from './browser-demo.ts'
import { openPage, type VisitOptions } from './browser-page.ts'
import { takeMailPictures } from './mail-pictures.ts'

const directory = path.resolve(import.meta.dirname, '../../docs/screenshots')
const desk = { width: 1_440, height: 900 }

type Picture = { file: string; address: string; options: VisitOptions; visitor?: true; ready: (page: Page) => Promise<void> }

async function cardsAreThere(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Position' }).waitFor()
  await page.getByText('complete through').waitFor()
  // The figures are the same in the demo and out of it.
  await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
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
  { file: 'account.png', address: '/account', options: desk, ready: (page) => page.getByRole('button', { name: 'Disconnect' }).waitFor() },
]

async function takePictures(app: TestApp): Promise<void> {
  const chromium = await launchChromium()
  const { cookies } = await app.demo()
  await mkdir(directory, { recursive: true })
  for (const { file, address, options, visitor, ready } of pictures) {
    const page = await openPage(chromium, app, visitor ? new Map() : cookies, options)
    await page.goto(address)
    await ready(page)
    await page.evaluate(() => document.fonts.ready)
    await page.mouse.move(0, 0)
    await page.screenshot({ path: path.join(directory, file) })
    await page.context().close()
    process.stdout.write(`docs/screenshots/${file}\n`)
  }
  // The last ones: for them the demo account changes its settings, and a day passes.
  for (const file of await takeMailPictures(app, chromium, directory)) process.stdout.write(`docs/screenshots/${file}\n`)
  await chromium.close()
}

const app = await startShortDemo()
try {
  await takePictures(app)
} finally {
  await app.close()
}
