import { PassThrough } from 'node:stream'
import type { Page } from 'playwright-core'
import { type ImportAnswer, type ImportLine, importLines } from '../../src/contract/import.ts'
import { setUp } from '../support/answers/onboarding.ts'
import { demoOf, demoProperties } from '../support/answers/shell.ts'
import { propertyOf, shop, syncOf } from '../support/answers/usual.ts'
import { expectAddress, expectAttribute, expectCount, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'
import { shownProperty } from '../support/shown-property.ts'

type Upload = { name: string; property: string }

/** The file's content doesn't matter: nothing reads it here. */
async function upload(page: Page, { name, property }: Upload): Promise<void> {
  const buffer = Buffer.from('Date,Clicks,Impressions,CTR,Position\n')
  await page.getByLabel('Exported file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  await page.getByRole('textbox', { name: 'Property name' }).fill(property)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}

const refusal = (page: Page) => page.getByRole('alert').filter({ hasText: 'Nothing was imported' })

const importOf = (change: Partial<ImportAnswer> = {}): ImportAnswer => ({
  property: 'lamps.example',
  changed: true,
  rows: 35,
  days: 35,
  start: '2026-02-08',
  end: '2026-03-14',
  clicks: 34_567,
  impressions: 801_234,
  notes: [],
  ...change,
})

test('a file and a name are required before anything is sent', { tags: ['full'] }, async ({ desk, open }) => {
  const page = await open('/account')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(page.getByText('Choose a file to import'), page.getByText('Enter the property this data belongs to'))
  expect(desk.asked('POST /api/import')).toEqual([])
})

test(
  "a bad file is refused with its line and the reason, and within a ZIP with the file's name",
  { tags: ['full'] },
  async ({ desk, open }) => {
    const page = await open('/account')
    const message = 'There are more clicks (300) than impressions (200)'
    desk.say('POST /api/import', { message, line: 3 }, { status: 400 })
    await upload(page, { name: 'Chart.csv', property: 'broken.example' })
    await expectText(refusal(page), `Nothing was imported Chart.csv, line 3: ${message}`)

    desk.say('POST /api/import', { message: 'A position is at least 1, not 0.2', line: 36, file: 'Chart.csv' }, { status: 400 })
    await upload(page, { name: 'export.zip', property: 'broken.example' })
    await expectText(refusal(page), 'Nothing was imported Chart.csv, line 36: A position is at least 1, not 0.2')
  },
)

test.for([
  [
    'a file of days that Google has already delivered',
    shop,
    "There's nothing left to import. Google's own figures stay: 3 days were left out.",
  ],
  ['a new property without a place in the plan', 'sixth.example', 'Your Pro plan allows up to 5 site(s).'],
] as const)(
  "%s is refused in the server's words, which don't blame a file",
  { tags: ['full'] },
  async ([, property, message], { desk, open }) => {
    desk.refuse('POST /api/import', 403, { message, field: 'property' })
    const page = await open('/account')
    await upload(page, { name: 'x.zip', property })
    await expectText(refusal(page), `Nothing was imported ${message}`)
  },
)

test('several files are uploaded as one; shows reading progress, and a refusal at its end', async ({ desk, open }) => {
  const page = await open('/account')
  const lines = new PassThrough()
  desk.say('POST /api/import', lines, { type: importLines })
  lines.write(`${JSON.stringify({ progress: { rows: 1_234_567, fraction: 0.25 } })}\n`)
  const names = ['searchdata_site_impression-000000000000.csv.gz', 'searchdata_url_impression-000000000000.csv.gz']
  const buffer = Buffer.from('data_date\n')
  await page.getByLabel('Exported files').setInputFiles(names.map((name) => ({ name, mimeType: 'application/gzip', buffer })))
  await expectVisible(page.getByText('2 files', { exact: true }))
  await page.getByRole('textbox', { name: 'Property name' }).fill('lamps.example')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(page.getByText('Reading 2 files: 1,234,567 rows so far'))
  await expectAttribute(page.getByRole('progressbar', { name: 'Import' }), 'value', '0.25')
  const problem = { message: 'The sum of positions is negative (-90)', line: 3, file: names[1] ?? '' }
  lines.end(`${JSON.stringify({ status: 400, problem } satisfies ImportLine)}\n`)
  await expectText(refusal(page), `Nothing was imported ${names[1]}, line 3: The sum of positions is negative (-90)`)
})

test('an interrupted upload says so', { tags: ['full'] }, async ({ desk, open }) => {
  desk.cut('POST /api/import')
  const page = await open('/account')
  await upload(page, { name: 'x.zip', property: 'lamps.example' })
  await expectText(refusal(page), 'Nothing was imported The upload was interrupted. Check your connection and try again.')
})

test('shows what was stored: days, rows, totals, and what was omitted; then it is on the dashboard', async ({ desk, open }) => {
  const change = setUp(desk, demoOf())
  const name = 'lamps.example'
  const note = "Queries.csv has no dates, so its rows can't be stored by day."
  desk.answer('POST /api/import', () => {
    const imported = propertyOf({ id: '9', name, kind: 'imported', permissionLevel: null })
    change({ gscProperties: [...demoProperties, imported], sitesMonitored: 4 })
    return importOf({ notes: [note] })
  })
  const page = await open('/account')
  const sending = desk.hold('POST /api/import')
  await upload(page, { name: 'lamps.example-Performance-on-Search-2026-03-16.zip', property: name })
  await expectVisible(page.getByRole('button', { name: 'Importing...' }), page.getByText('Reading the file'))
  sending.release()
  await expectVisible(page.getByText(`Imported into ${name}`), page.getByText(note))
  await expectText(
    page.getByText('Clicks', { exact: true }).locator('xpath=ancestor::dl'),
    'Dates 8 Feb–14 Mar 2026 Days 35 Rows 35 Clicks 34,567 Impressions 801,234',
  )

  desk.answer('GET /api/sync', [syncOf({ property: name, state: 'imported', completeThrough: '2026-03-14' })])
  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(name)}` }), page.getByText('4/5 sites monitored'))
  // There is nobody to ask for newer figures.
  await expectVisible(page.getByText(/, complete through 14 Mar$/))
  await expectCount(page.getByRole('button', { name: 'Refresh' }), 0)
})

test('through the dialog of the property bar; exactly the same file again changes nothing', { tags: ['full'] }, async ({ desk, open }) => {
  setUp(desk, demoOf())
  desk.answer('POST /api/import', importOf({ property: shop }))
  const page = await open('/dashboard')
  await page.getByRole('button', { name: /^Property:/ }).click()
  await page.getByRole('menuitem', { name: 'Import a file…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import a file' })
  await expectVisible(dialog)
  await upload(page, { name: 'Leistung.zip', property: shop })
  await expectVisible(dialog.getByText(`Imported into ${shownProperty(shop)}`))
  desk.answer('POST /api/import', importOf({ property: shop, changed: false }))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(dialog.getByText(`This exact file was already imported into ${shownProperty(shop)}`))
  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectGone(dialog)
  await expectVisible(page.getByRole('region', { name: 'Clicks' }))
})
