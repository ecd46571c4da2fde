import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { sites } from '../support/app.ts'
import { cardsOfFile, expectCards } from '../support/browser-cards.ts'
import { expectAddress, expectCount, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { daysOfFile, englishExport, type FileDay, germanExport } from '../support/browser-files.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { shownProperty } from '../support/shown-property.ts'

const test = journeyTest({ figures: false })

type Upload = { name: string; content: Buffer | string; property: string }

async function upload(page: Page, { name, content, property }: Upload): Promise<void> {
  await page.getByLabel('Exported file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
  await page.getByRole('textbox', { name: 'Property name' }).fill(property)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}

const sum = (days: readonly FileDay[], of: 'clicks' | 'impressions'): string =>
  days.reduce((all, day) => all + day[of], 0).toLocaleString('en-US')
const refusal = (page: Page) => page.getByRole('alert').filter({ hasText: 'Nothing was imported' })

test('exports from Search Console become properties that show their own totals, exact to the last click', async ({ app, visitAs }) => {
  const page = await visitAs(await app.demo(), '/account')

  // A bad file leaves nothing behind, however late the error in it.
  const lastIsWrong = englishExport(daysOfFile('2026-03-14', 4).map((day) => (day.date === '2026-03-14' ? { ...day, position: 0.2 } : day)))
  await upload(page, { name: 'export.zip', content: lastIsWrong, property: 'broken.example' })
  await expectText(refusal(page), /^Nothing was imported Chart\.csv, line 36: /)
  await page.getByRole('button', { name: /^Property:/ }).click()
  await expectVisible(page.getByRole('menuitemradio', { name: shownProperty(sites.shop) }))
  await expectCount(page.getByRole('menuitemradio', { name: 'broken.example' }), 0)
  await page.keyboard.press('Escape')

  const english = daysOfFile('2026-03-14', 1)
  const zip = { name: 'lamps.example-Performance-on-Search-2026-03-16.zip', content: englishExport(english), property: 'lamps.example' }
  await upload(page, zip)
  await expectVisible(
    page.getByText('Imported into lamps.example'),
    page.getByText("Queries.csv has no dates, so its rows can't be stored by day."),
  )
  await expectText(
    page.getByText('Clicks', { exact: true }).locator('xpath=ancestor::dl'),
    `Dates 8 Feb–14 Mar 2026 Days 35 Rows 35 Clicks ${sum(english, 'clicks')} Impressions ${sum(english, 'impressions')}`,
  )
  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: 'Property: lamps.example' }), page.getByText('4/5 sites monitored'))
  await expectCards(page, cardsOfFile(english))
  await expectCount(page.getByRole('button', { name: 'Refresh' }), 0)

  // A German export gives the same result, through the dialog of the property bar; importing it twice changes nothing.
  const german = daysOfFile('2026-03-15', 2)
  await page.getByRole('button', { name: /^Property:/ }).click()
  await page.getByRole('menuitem', { name: 'Import a file…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a file' })
  await upload(page, { name: 'Leistung.zip', content: germanExport(german), property: 'lampen.example' })
  await expectVisible(dialog.getByText('Imported into lampen.example'))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(dialog.getByText('This exact file was already imported into lampen.example'))
  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectGone(dialog)
  await expectCards(page, cardsOfFile(german))

  // By now the plan has no places left.
  await page.goto('/account')
  await upload(page, { name: 'x.zip', content: englishExport(english), property: 'sixth.example' })
  await expectText(refusal(page), 'Nothing was imported Your Pro plan allows up to 5 site(s).')

  // The command line imports another file into an existing property, while the server runs.
  const older = daysOfFile('2026-03-13', 3)
  expect(await imported(app.dataDir, englishExport(older), '--property', 'lamps.example', '--user', 'demo')).toContain(
    `Imported into lamps.example:\n  35 rows, 35 days from 2026-02-07 to 2026-03-13\n  ${sum(older, 'clicks')} clicks, `,
  )
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Property:/ }).click()
  await page.getByRole('menuitemradio', { name: 'lamps.example (imported)' }).click()
  // The day that only the first file had is still there, and still the last one.
  await expectCards(page, cardsOfFile([...older, ...english.slice(-1)]))

  // The file of the next days is on screen immediately: when it was updated, through which day, and which days can be chosen.
  await page.getByRole('link', { name: 'Profile' }).click()
  await expectVisible(page.getByText(/, complete through 14 Mar$/))
  await upload(page, { name: 'next.zip', content: englishExport(daysOfFile('2026-03-16', 1)), property: 'lamps.example' })
  await expectVisible(page.getByText(/, complete through 16 Mar$/))
  await page.getByRole('link', { name: 'Active Alerts' }).click()
  await page.getByRole('combobox', { name: 'Date range' }).click()
  await page.getByRole('option', { name: 'Custom range' }).click()
  await page.getByRole('button', { name: /^Dates:/ }).click()
  await expectVisible(page.getByRole('dialog', { name: 'Choose dates' }).getByText('Data available: 7 Feb–16 Mar 2026'))
})

/** `npm run import` of a file, as npm runs it. */
async function imported(dataDir: string, content: Buffer, ...args: string[]): Promise<string> {
  const command = path.resolve(import.meta.dirname, '../../src/server/commands/import.ts')
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-import-'))
  try {
    const file = path.join(directory, 'export of lamps.zip')
    await writeFile(file, content)
    const env = { ...process.env, DATA_DIR: dataDir, BASE_URL: '' }
    return await new Promise((resolve, reject) => {
      execFile(process.execPath, [command, file, ...args], { env }, (error, out, err) => (error ? reject(new Error(err)) : resolve(out)))
    })
  } finally {
    await rm(directory, { recursive: true })
  }
}
