import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { extractImages, extractText, getDocumentProxy } from 'unpdf'
import { eachDay } from '../../src/core/analytics/days.ts'
import type { TestApp } from '../support/app.ts'
import { expectAttribute, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { newPerson, select, shortenHistory, synced } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'

const test = journeyTest({ figures: false })

const sites = { oak: 'https://oak.example/', elm: 'https://elm.example/' } as const
/** The week of the reports, and the one before. */
const weeks = { before: { start: '2026-03-02', end: '2026-03-08' }, now: { start: '2026-03-09', end: '2026-03-15' } }
const daily = { [sites.oak]: { now: 240, before: 200 }, [sites.elm]: { now: 7, before: 9 } } as const

async function setDays(
  app: TestApp,
  site: keyof typeof daily,
  { start, end }: { start: string; end: string },
  clicks: number,
): Promise<void> {
  for (const date of eachDay(start, end)) {
    await app.google.setRows(site, date, [
      { query: 'oak lamp', page: `${site}lamps`, clicks, impressions: clicks * 20, position: 4 },
      { query: 'chair', page: `${site}chairs`, clicks: 1, impressions: 30, position: 11 },
    ])
  }
}

/** An agency that monitors two properties with two stored weeks. */
async function agency(app: TestApp): Promise<Visitor> {
  const email = 'agency@example.test'
  const owner = await newPerson(app, { email, plan: 'agency', sites: { [sites.oak]: 'empty', [sites.elm]: 'empty' } })
  for (const site of Object.values(sites)) {
    await app.google.call('PUT', 'late', { site, days: 3 })
    await setDays(app, site, weeks.before, daily[site].before)
    await setDays(app, site, { start: weeks.now.start, end: '2026-03-18' }, daily[site].now)
    await shortenHistory(app, site, eachDay(weeks.before.start, '2026-03-18').length)
  }
  await owner.send('POST', '/api/gsc-properties/monitor', { sites: Object.values(sites) })
  await select(owner, sites.oak)
  await Promise.all(Object.values(sites).map((site) => synced(owner, site, 60_000)))
  return owner
}

const green = { r: 18, g: 161, b: 80 }
const logo = () =>
  sharp({ create: { width: 240, height: 80, channels: 3, background: green } })
    .png()
    .toBuffer()

/** Whether the middle of a picture has the logo's color. */
async function isLogo(pixels: {
  data: Uint8ClampedArray | Uint8Array
  width: number
  height: number
  channels: 1 | 3 | 4
}): Promise<boolean> {
  const at = (Math.floor(pixels.height / 2) * pixels.width + Math.floor(pixels.width / 2)) * pixels.channels
  return [green.r, green.g, green.b].every((value, index) => Math.abs(value - (pixels.data[at + index] ?? -99)) <= 4)
}

async function saveBrand(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Northlight')
  await page.getByRole('textbox', { name: 'Color', exact: true }).fill('#12a150')
  await page.getByRole('textbox', { name: 'Sender name' }).fill('Northlight Reports')
  await page.getByRole('textbox', { name: 'Reply-to address' }).fill('team@northlight.example')
  await page.getByRole('button', { name: 'Save brand' }).click()
  await expectToast(page, 'success', 'Brand Saved')
  const file = page.getByLabel('Add logo')
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') })
  await expectVisible(file.locator('xpath=../following-sibling::p'))
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await logo() })
  await expectVisible(page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'Northlight' }))
}

async function addClient(page: Page, name: string, properties: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'New client' }).click()
  const dialog = page.getByRole('dialog', { name: 'New client' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  for (const property of properties) await dialog.getByRole('checkbox', { name: property }).check()
  await dialog.getByRole('button', { name: 'Create client' }).click()
  await expectVisible(page.getByRole('article', { name }))
  await expectGone(dialog)
}

async function addSchedule(page: Page, client: string, recipient: string): Promise<void> {
  await page.getByRole('button', { name: 'New schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  await dialog.getByRole('combobox', { name: 'Report on' }).click()
  await page.getByRole('option', { name: `${client} (client)` }).click()
  await dialog.getByRole('radio', { name: 'Every week' }).check({ force: true })
  const field = dialog.getByRole('textbox', { name: 'Recipients' })
  await field.fill(recipient)
  await page.keyboard.press('Enter')
  await expectVisible(dialog.getByRole('button', { name: `Remove ${recipient}` }))
  await dialog.getByRole('button', { name: 'Create schedule' }).click()
  await expectVisible(page.getByRole('article', { name: client }))
  await expectGone(dialog)
}

/** Clicks and impressions of a property as a report on screen shows them. */
async function figuresOn(page: Page, within = 'body'): Promise<string[]> {
  const figure = (name: string) => page.locator(within).locator('label').filter({ hasText: name }).locator('.text-figure').first()
  await expectVisible(figure('Clicks'))
  return Promise.all(['Clicks', 'Impressions', 'CTR', 'Position'].map((name) => figure(name).innerText()))
}

/** A report's recipient consents with the email's link. */
async function agree(app: TestApp, recipient: string): Promise<void> {
  const { links } = await app.mail.mailTo(recipient, { kind: 'confirm-report-recipient' })
  const answer = await fetch(links.find((link) => link.includes('/api/report-recipient')) ?? '', { method: 'POST' })
  expect(answer.status).toBe(200)
}

async function mailed(app: TestApp, recipient: string) {
  const mail = await app.mail.mailTo(recipient, { subject: /^Weekly report/ })
  const [picture, document] = ['image/png', 'application/pdf'].map((type) =>
    mail.attachments.findIndex(({ mimeType }) => mimeType === type),
  )
  if (picture === undefined || document === undefined) throw new Error('nothing is attached')
  const pdf = await getDocumentProxy(await app.mail.attachment(mail, document))
  const { text } = await extractText(pdf, { mergePages: true })
  return { mail, pdf, text, picture: await app.mail.attachment(mail, picture) }
}

test(
  'an agency brands its reports, sends them to two clients, downloads one, shares one and withdraws it',
  { timeout: 240_000 },
  async ({ app, visit, visitAs }) => {
    const owner = await agency(app)
    const page = await visitAs(owner, '/reports?tab=brand')
    await saveBrand(page)

    await page.getByRole('tab', { name: 'Clients' }).click()
    await addClient(page, 'Oak Street', [sites.oak])
    await addClient(page, 'The Woods', [sites.oak, sites.elm])

    await page.getByRole('tab', { name: 'Schedules' }).click()
    await addSchedule(page, 'Oak Street', 'oak@clients.example')
    await addSchedule(page, 'The Woods', 'woods@clients.example')
    for (const recipient of ['oak@clients.example', 'woods@clients.example']) await agree(app, recipient)
    await page.reload()
    for (const client of ['Oak Street', 'The Woods']) {
      const card = page.getByRole('article', { name: client })
      await card.getByRole('button', { name: 'Send now' }).click()
      await card.getByRole('button', { name: 'Send now' }).waitFor({ state: 'detached' })
      await card.getByRole('button', { name: 'Send now' }).waitFor({ timeout: 60_000 })
      await expectToast(page, 'success', 'Report Sent', `The report on ${client} is on its way to 1 recipient.`)
    }

    // What the screen shows for each property in the same week.
    await page.goto('/reports?kind=week')
    await expectVisible(page.getByRole('heading', { name: 'Weekly report: 9–15 Mar 2026' }))
    const oakShown = await figuresOn(page)
    expect(oakShown.slice(0, 2)).toEqual(['1,687', '33,810'])
    await expectVisible(page.getByText('vs 1,407 (previous week)'), page.getByText('a year earlier: no data'))
    // Downloaded as PDF, and found again.
    await page.getByRole('button', { name: 'Download PDF' }).click()
    const taking = page.waitForEvent('download', { timeout: 60_000 })
    await page.getByRole('menuitem', { name: 'US Letter' }).click()
    expect((await taking).suggestedFilename()).toMatch(/^oak\.example.*\.pdf$/)
    await page.getByRole('tab', { name: 'PDFs' }).click()
    await expectVisible(page.getByRole('button', { name: `Download ${sites.oak}` }))

    await select(owner, sites.elm)
    await page.goto('/reports?kind=week')
    await expectText(page.locator('.text-figure').first(), '56')
    const elmShown = await figuresOn(page)

    const oak = await mailed(app, 'oak@clients.example')
    const woods = await mailed(app, 'woods@clients.example')
    for (const { mail, pdf, text, picture } of [oak, woods]) {
      expect(mail.header('from')).toMatch(/^"?Northlight Reports"? </)
      expect(mail.header('reply-to')).toContain('team@northlight.example')
      expect(mail.html).toContain('cid:')
      const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      expect(await isLogo({ data, width: info.width, height: info.height, channels: 3 })).toBe(true)
      const pictures = await extractImages(pdf, 1)
      expect((await Promise.all(pictures.map(isLogo))).some(Boolean)).toBe(true)
      for (const said of [mail.subject, mail.text, mail.html, text]) expect(said).not.toMatch(/ranklark/i)
      expect(text).toContain('Northlight')
    }
    for (const figure of oakShown) expect(oak.text).toContain(figure)
    for (const figure of [...oakShown, ...elmShown]) expect(woods.text).toContain(figure)
    expect(oak.text).not.toContain('elm.example')
    // For one property, the email shows the same as the page.
    for (const figure of oakShown.slice(0, 2)) expect(oak.mail.text).toContain(figure)

    await page.goto('/reports?tab=clients')
    await page.getByRole('article', { name: 'The Woods' }).getByRole('button', { name: 'Share link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share link' })
    await dialog.getByRole('radio', { name: 'Week' }).check({ force: true })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const address = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.keyboard.press('Escape')

    const reader = await visit(address)
    await expectVisible(reader.getByRole('heading', { level: 1, name: 'Weekly report: 9–15 Mar 2026' }))
    await expectVisible(reader.getByRole('banner').getByRole('img', { name: 'Northlight' }))
    await expectVisible(reader.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: sites.elm }))
    expect(await figuresOn(reader, '#property-1')).toEqual(elmShown)
    expect(await figuresOn(reader, '#property-2')).toEqual(oakShown)
    expect(await reader.title()).toBe('Weekly report: 9–15 Mar 2026 · The Woods')
    expect(await reader.locator('html').innerText()).not.toMatch(/ranklark/i)
    await expectAttribute(reader.locator('link[rel=icon]'), 'href', /^data:image\/png/)
    const answer = await fetch(new URL(address))
    expect(answer.headers.get('x-robots-tag')).toContain('noindex')
    expect(await answer.text()).not.toMatch(/ranklark/i)
    const downloading = reader.waitForEvent('download', { timeout: 60_000 })
    await reader.getByRole('button', { name: 'Download PDF' }).click()
    expect((await downloading).suggestedFilename()).toMatch(/\.pdf$/)

    await page.getByRole('tab', { name: 'Links' }).click()
    await page.reload()
    await expectVisible(page.getByRole('article', { name: 'The Woods' }).getByText(/^Opened once/))
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke link' }).click()
    await expectVisible(page.getByRole('heading', { name: 'No links yet' }))
    await reader.reload()
    await expectVisible(reader.getByRole('heading', { name: "This link doesn't work" }))
    expect(await reader.locator('html').innerText()).not.toMatch(/ranklark/i)
  },
)
