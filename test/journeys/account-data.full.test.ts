import { readFile } from 'node:fs/promises'
import { expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { unzip } from '../support/unzip.ts'

const test = journeyTest()

test('"Export my data" saves a ZIP with everything', async ({ app, visitAs }) => {
  const page = await visitAs(await app.demo(), '/settings')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('ranklark-demo-2026-03-18.zip')
  const files = await unzip(await readFile(await file.path()))
  expect(files.get('facts/lumenandloom.example/total.csv')).toContain('2026-03-15,web,')
  await expectToast(page, 'success', 'Data Exported', 'ranklark-demo-2026-03-18.zip is in your downloads.')
  await expectVisible(page.getByRole('button', { name: 'Export my data' }))
})
