import { annotations } from '../../src/contract/annotations.ts'
import { sites } from '../support/app.ts'
import { cardOf } from '../support/browser-cards.ts'
import { expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { runJob } from '../support/jobs.ts'

const test = journeyTest()

test('a note is stored, and appears on the charts next to the incident that Google published', async ({ app, visitAs }) => {
  await runJob(app, 'ranking-incidents')
  const owner = await app.demo()
  const page = await visitAs(owner, '/dashboard')
  const panel = page.getByRole('dialog', { name: 'Notes' })
  await page.getByRole('button', { name: 'Notes: Clicks', exact: true }).click()
  await panel.getByRole('button', { name: 'Add a note' }).click()
  await panel.getByRole('textbox', { name: 'What happened' }).fill('<b>Sale</b> & more')
  await panel.getByRole('button', { name: 'Add note', exact: true }).click()
  await expectToast(page, 'success', 'Note Added')
  const { notes } = annotations.parse((await owner.get('/api/annotations?property=all')).body)
  expect(notes).toMatchObject([{ text: '<b>Sale</b> & more', property: sites.shop }])

  await page.reload()
  await cardOf(page, 'Position').getByRole('slider').focus()
  await expect
    .poll(() => cardOf(page, 'Position').getByRole('slider').getAttribute('aria-valuetext'))
    .toMatch(/; Note: <b>Sale<\/b> & more$/)
  await page.getByRole('button', { name: 'Notes: Position', exact: true }).click()
  await expectVisible(panel.getByText('<b>Sale</b> & more', { exact: true }))
  const incidents = panel.getByRole('region', { name: 'Google updates' }).getByRole('listitem')
  await expectText(incidents.first(), 'Sample ranking update 10–13 Mar 2026')
  const link = panel.getByRole('link', { name: 'Sample ranking update: source (new tab)' })
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await expectVisible(opened.getByRole('heading', { name: 'Sample ranking update' }))
  expect(opened.url()).toBe(`${app.google.url}/incidents/SampleRankingUpdate1`)
})
