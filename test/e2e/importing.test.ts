import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sites, type TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { cardsOfFile, expectCards } from '../support/browser-cards.ts'
import { expectAddress, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { daysOfFile, englishExport, type FileDay, germanExport } from '../support/browser-files.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

type Upload = { name: string; content: Buffer | string; property: string }

async function upload(page: Page, { name, content, property }: Upload): Promise<void> {
  await page.getByLabel('Export file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
  await page.getByRole('textbox', { name: 'Property name' }).fill(property)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}

const sum = (days: readonly FileDay[], of: 'clicks' | 'impressions'): string =>
  days.reduce((all, day) => all + day[of], 0).toLocaleString('en-US')

test('a bad file is refused with its line and the reason, and leaves nothing behind', async () => {
  const page = await browser.visitAs(await app.demo(), '/account')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(page.getByText('Choose a file to import'), page.getByText('Name the property these figures belong to'))

  const content = 'Date,Clicks,Impressions,CTR,Position\n2026-03-01,10,200,5%,3.1\n2026-03-02,300,200,5%,3.1\n'
  await upload(page, { name: 'Chart.csv', content, property: 'broken.example' })
  await expectText(
    page.getByRole('alert').filter({ hasText: 'Nothing was imported' }),
    'Nothing was imported Chart.csv, line 3: There are more clicks (300) than impressions (200)',
  )

  const lastIsWrong = englishExport(daysOfFile('2026-03-14', 4).map((day) => (day.date === '2026-03-14' ? { ...day, position: 0.2 } : day)))
  await upload(page, { name: 'export.zip', content: lastIsWrong, property: 'broken.example' })
  await expectText(page.getByRole('alert').filter({ hasText: 'Nothing was imported' }), /^Nothing was imported Chart\.csv, line 36: /)
  await page.getByRole('button', { name: /^Property:/ }).click()
  await expectVisible(page.getByRole('menuitemradio', { name: sites.shop }))
  expect(await page.getByRole('menuitemradio', { name: 'broken.example' }).count()).toBe(0)
})

test('the ZIP of the Export button becomes a property that shows its own totals, to the last click', async () => {
  const days = daysOfFile('2026-03-14', 1)
  const page = await browser.visitAs(await app.demo(), '/account')
  await upload(page, {
    name: 'lamps.example-Performance-on-Search-2026-03-16.zip',
    content: englishExport(days),
    property: 'lamps.example',
  })
  await expectVisible(
    page.getByText('Imported into lamps.example'),
    page.getByText('Queries.csv has no dates, so its rows cannot be stored by day.'),
  )
  await expectText(
    page.getByText('Clicks', { exact: true }).locator('xpath=ancestor::dl'),
    `Dates 8 Feb–14 Mar 2026 Days 35 Rows 35 Clicks ${sum(days, 'clicks')} Impressions ${sum(days, 'impressions')}`,
  )

  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: 'Property: lamps.example' }))
  await expectCards(page, cardsOfFile(days))
  expect(await page.getByRole('button', { name: 'Refresh' }).count()).toBe(0)
  await expectVisible(page.getByText('4/5 sites monitored'))
})

test('a German export says the same, through the dialog of the property bar; twice changes nothing', async () => {
  const days = daysOfFile('2026-03-15', 2)
  const content = germanExport(days)
  const page = await browser.visitAs(await app.demo(), '/dashboard')
  await page.getByRole('button', { name: /^Property:/ }).click()
  await page.getByRole('menuitem', { name: 'Import a file…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a file' })
  await expectVisible(dialog)
  await upload(page, { name: 'Leistung.zip', content, property: 'lampen.example' })
  await expectVisible(dialog.getByText('Imported into lampen.example'))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(dialog.getByText('lampen.example already holds exactly this file'))

  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectGone(dialog)
  await expectCards(page, cardsOfFile(days))
})

test('a name that belongs to a property of Google is refused', async () => {
  const page = await browser.visitAs(await app.demo(), '/account')
  await upload(page, { name: 'x.zip', content: englishExport(daysOfFile('2026-03-14', 1)), property: sites.shop })
  await expectVisible(page.getByRole('alert').filter({ hasText: sites.shop }))
})

test('a new property needs a place in the plan', async () => {
  const page = await browser.visitAs(await app.demo(), '/account')
  await upload(page, { name: 'x.zip', content: englishExport(daysOfFile('2026-03-14', 1)), property: 'sixth.example' })
  await expectText(
    page.getByRole('alert').filter({ hasText: 'Nothing was imported' }),
    'Nothing was imported Your Pro plan allows up to 5 site(s).',
  )
})

test('the command line imports while the server runs, and the dashboard shows its totals to the last click', async () => {
  const days = daysOfFile('2026-03-13', 3)
  const page = await browser.visitAs(await app.demo(), '/dashboard')
  // Every place of the plan is taken by now: the older import gets the newer file.
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-e2e-'))
  try {
    const file = path.join(directory, 'export of lamps.zip')
    await writeFile(file, englishExport(days))
    const said = await runImport(file, '--property', 'lamps.example', '--user', 'demo')
    expect(said).toContain(
      `Imported into lamps.example:\n  35 rows, 35 days from 2026-02-07 to 2026-03-13\n  ${sum(days, 'clicks')} clicks, `,
    )
  } finally {
    await rm(directory, { recursive: true })
  }

  await page.reload()
  await page.getByRole('button', { name: /^Property:/ }).click()
  await page.getByRole('menuitemradio', { name: 'lamps.example (imported)' }).click()
  // The day that only the first file held is still there, and still the last one.
  await expectCards(page, cardsOfFile([...days, ...daysOfFile('2026-03-14', 1).slice(-1)]))
})

test('the file of the next days is on screen at once: when it was updated, through which day, and which days can be chosen', async () => {
  const page = await browser.visitAs(await app.demo(), '/account')
  await expectVisible(page.getByRole('button', { name: 'Property: lamps.example' }), page.getByText(/, complete through 14 Mar$/))
  await upload(page, { name: 'next.zip', content: englishExport(daysOfFile('2026-03-16', 1)), property: 'lamps.example' })
  await expectVisible(page.getByText(/, complete through 16 Mar$/))

  await page.getByRole('link', { name: 'Active Alerts' }).click()
  await page.getByRole('combobox', { name: 'Date range' }).click()
  await page.getByRole('option', { name: 'Custom range' }).click()
  await page.getByRole('button', { name: /^Dates:/ }).click()
  await expectVisible(page.getByRole('dialog', { name: 'Choose dates' }).getByText('Data: 7 Feb–16 Mar 2026'))
})

/** `npm run import`, as npm runs it. */
function runImport(...args: string[]): Promise<string> {
  const command = path.resolve(import.meta.dirname, '../../src/server/import-command.ts')
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [command, ...args], { env: { ...process.env, DATA_DIR: app.dataDir, BASE_URL: '' } }, (error, out, err) =>
      error ? reject(new Error(err)) : resolve(out),
    )
  })
}
