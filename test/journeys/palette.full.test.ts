import { alertConditions } from '../../src/contract/alerts/conditions.ts'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import { expectAddress, expectGone, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { choose, everythingAbout, openPalette, option } from '../support/palette.ts'
import { ownerOf } from '../support/people.ts'

const test = journeyTest({ figures: false })

const site = 'https://palette.example/'
/** The last complete day. */
const through = '2026-03-15'

test("using only the palette: a keyword with Google's clicks, a refresh, a rule, and a message to support", async ({ app, visitAs }) => {
  const rows = [
    { query: 'reading lamp', page: `${site}lamps`, clicks: 50, impressions: 500, position: 4 },
    { query: 'oak lamp', page: `${site}lamps`, clicks: 5, impressions: 100, position: 6 },
  ]
  await app.google.account('palette@example.test', { [site]: 'empty' })
  for (const date of eachDay(addDays(through, -27), addDays(through, 3))) await app.google.setRows(site, date, rows)
  await app.google.call('PUT', 'late', { site, days: 3 })
  const owner = await ownerOf(app, site, { days: 31, email: 'palette@example.test' })

  const page = await visitAs(owner, '/dashboard?range=28d&compare=year')
  await openPalette(page, 'LAMP')
  await expectVisible(option(page, 'reading lamp 1,400 clicks'), option(page, `${site}lamps 1,540 clicks`))
  await option(page, 'oak lamp 140 clicks').click()
  await expectAddress(page, '/keyword-opportunities?tab=analysis&search=oak+lamp&keyword=oak+lamp&range=28d&compare=year')
  await expectVisible(everythingAbout(page, 'oak lamp').getByText('140', { exact: true }))
  await page.keyboard.press('Escape')
  await expectGone(everythingAbout(page, 'oak lamp'))

  const before = (await app.google.requests()).length
  await choose(page, 'refresh', 'Refresh data')
  await expect.poll(async () => (await app.google.requests()).length, { timeout: 15_000 }).toBeGreaterThan(before)
  await expectVisible(page.getByText(/^Last updated: Today, \d\d:\d\d, complete through 15 Mar$/))

  await choose(page, 'new', 'New alert rule')
  const dialog = page.getByRole('dialog', { name: 'New Alert' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill('From the palette')
  await dialog.getByRole('button', { name: 'Create Alert' }).click()
  await expectGone(dialog)
  const rules = alertConditions.parse((await owner.get('/api/alert-conditions')).body)
  expect(rules.filter(({ title }) => title === 'From the palette').map(({ property }) => property)).toEqual([site])

  await choose(page, 'write', 'Contact support')
  await page.getByRole('textbox', { name: 'Subject' }).fill('An alert I do not understand')
  await page.getByRole('textbox', { name: 'Your message' }).fill('It fired on Sunday.\nNothing had changed on the page.')
  await page.getByRole('checkbox', { name: /^Browser/ }).uncheck()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Message sent' }))
  const mail = await app.mail.mailTo('support@ranklark.example', { kind: 'support-request' })
  expect(mail.header('reply-to')).toBe('palette@example.test')
  for (const text of ['It fired on Sunday.', 'Nothing had changed on the page.', site, 'Free']) expect(mail.text).toContain(text)
  expect(mail.text).not.toContain('Mozilla')
  await app.mail.mailTo('palette@example.test', { kind: 'support-received' })
})
