import type { Page } from 'playwright-core'
import { reportClientChange, type ReportSchedule, reportScheduleChange } from '../../src/contract/reports/reports.ts'
import { password, wantsProof } from '../support/answers/account.ts'
import { logo, reportOf, reportsOn } from '../support/answers/reports.ts'
import { propertyOf, shop, shopName } from '../support/answers/usual.ts'
import { expectCount, expectDisabled, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'
import { shownProperty } from '../support/shown-property.ts'

/** Clicks and impressions as shown in a report on screen. */
const figure = (page: Page, name: string) => page.locator('label').filter({ hasText: name }).locator('.text-figure').first()

describe('on Free', { tags: ['full'] }, () => {
  test('there is the monthly summary, and what other plans offer', async ({ desk, signIn, open }) => {
    signIn({ plan: 'free' })
    reportsOn(desk, 'free')
    const page = await open('/reports')
    await expectVisible(page.getByRole('heading', { name: 'Monthly report: October 2026' }))
    const { clicks, impressions } = reportOf('free').totals
    expect(await figure(page, 'Clicks').innerText()).toBe(clicks.toLocaleString('en-US'))
    expect(await figure(page, 'Impressions').innerText()).toBe(impressions.toLocaleString('en-US'))
    const whole = page.getByRole('region', { name: 'The full report' })
    await expectVisible(whole.getByText(/available on Pro and Agency plans/), whole.getByRole('link', { name: 'See plans' }))
    await expectCount(page.getByRole('button', { name: /Download PDF|Share link/ }), 0)
    await expectCount(page.getByRole('heading', { name: /Rising|Falling|Opportunities/ }), 0)
  })

  test('each tab says what it would contain, and where the plans are', async ({ desk, signIn, open }) => {
    signIn({ plan: 'free' })
    reportsOn(desk, 'free')
    const page = await open('/reports')
    for (const [tab, title] of [
      ['Schedules', 'Reports by email'],
      ['Clients', 'Reports for clients'],
      ['Brand', 'Reports under your own brand'],
      ['Links', 'Links to reports'],
      ['PDFs', 'PDF reports'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await expectVisible(page.getByRole('region', { name: title }).getByRole('link', { name: 'See plans' }))
    }
  })
})

test('on Pro there is the full report, and clients require another plan', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'pro' })
  reportsOn(desk, 'pro')
  const page = await open('/reports')
  await expectVisible(
    page.getByRole('heading', { name: 'Monthly report: October 2026' }),
    page.getByRole('button', { name: 'Download PDF' }),
    page.getByRole('heading', { name: /Opportunities/ }),
  )
  await page.getByRole('tab', { name: 'Clients' }).click()
  await expectVisible(page.getByText("Your Pro plan doesn't include white-label reports. Available on the Agency plan."))
})

describe('an agency', () => {
  test('a link encrypted with a lost key can be revoked, but not shown', { tags: ['full'] }, async ({ desk, signIn, open }) => {
    signIn({ plan: 'agency' })
    reportsOn(desk, 'agency')
    const share = {
      title: 'Northlight',
      kind: 'week' as const,
      period: { start: '2026-11-02', end: '2026-11-08' },
      createdAt: '2026-11-09T09:00:00.000Z',
      expiresAt: '2027-11-09T09:00:00.000Z',
      views: 0,
      lastViewedAt: null,
    }
    const shares = [
      { ...share, id: '2', url: 'https://rank.example/shared/token' },
      { ...share, id: '1', title: 'Bluebird', url: null },
    ]
    desk.answer('GET /api/report-shares', { locked: null, shares })
    const page = await open('/reports?tab=links')
    const lost = page.getByRole('article', { name: 'Bluebird' })
    await expectVisible(lost.getByText(/still works, but it can't be shown here anymore/), lost.getByRole('button', { name: 'Revoke' }))
    await expectCount(lost.getByRole('button', { name: 'Copy link' }), 0)
    await expectVisible(page.getByRole('article', { name: 'Northlight' }).getByRole('button', { name: 'Copy link' }))
  })

  test('saves its brand first, then its logo; errors appear at their field', { tags: ['full'] }, async ({ desk, signIn, open }) => {
    signIn({ plan: 'agency' })
    reportsOn(desk, 'agency')
    const page = await open('/reports?tab=brand')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Northlight')
    await page.getByRole('textbox', { name: 'Color', exact: true }).fill('#12a1')
    await page.getByRole('textbox', { name: 'Sender name' }).fill('Northlight Reports')
    await page.getByRole('textbox', { name: 'Reply-to address' }).fill('team@northlight.example')
    await page.getByRole('button', { name: 'Save brand' }).click()
    await expectVisible(page.getByText('Enter the color as a hex code, such as #1a73e8'))
    expect(desk.asked('PUT /api/report-brand')).toEqual([])
    await page.getByRole('textbox', { name: 'Color', exact: true }).fill('#12a150')
    await page.getByRole('button', { name: 'Save brand' }).click()
    await expectToast(page, 'success', 'Brand Saved')
    await expect
      .poll(() => desk.asked('PUT /api/report-brand').map(({ body }) => body))
      .toEqual([{ name: 'Northlight', color: '#12a150', senderName: 'Northlight Reports', replyTo: 'team@northlight.example' }])

    const file = page.getByLabel('Add logo')
    const message = 'This is no PNG, JPEG or WebP picture.'
    desk.refuse('PUT /api/report-brand/logo', 400, { message })
    const picture = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('a picture') }
    await file.setInputFiles(picture)
    await expectVisible(page.getByText(message, { exact: true }))
    desk.answer('PUT /api/report-brand/logo', {
      locked: null,
      brand: { name: 'Northlight', color: '#12a150', senderName: 'Northlight Reports', replyTo: null, logo },
    })
    await file.setInputFiles({ ...picture, name: 'other.png' })
    await expectVisible(page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'Northlight' }))
  })

  test('creates a client with at least one property', { tags: ['full'] }, async ({ desk, signIn, open }) => {
    signIn({ plan: 'agency', gscProperties: [propertyOf(), propertyOf({ id: '2', name: 'https://elm.example/' })] })
    reportsOn(desk, 'agency')
    const page = await open('/reports?tab=clients')
    await page.getByRole('button', { name: 'New client' }).click()
    const dialog = page.getByRole('dialog', { name: 'New client' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('The Woods')
    await dialog.getByRole('button', { name: 'Create client' }).click()
    await expectVisible(dialog.getByText('Choose at least one property'))
    for (const property of [shop, 'https://elm.example/'])
      await dialog.getByRole('checkbox', { name: shownProperty(property), exact: true }).check()
    await dialog.getByRole('button', { name: 'Create client' }).click()
    await expectVisible(page.getByRole('article', { name: 'The Woods' }))
    await expectGone(dialog)
  })

  test('adding a property to a client says who will see it, and asks for the password', async ({ desk, signIn, open }) => {
    const elm = 'https://elm.example/'
    signIn({ plan: 'agency', gscProperties: [propertyOf(), propertyOf({ id: '2', name: elm })] })
    reportsOn(desk, 'agency')
    const guard = wantsProof(desk)
    let client = { id: '1', name: 'The Woods', properties: [shop] }
    desk.answer('GET /api/report-clients', () => ({ locked: null, clients: [client] }))
    desk.answer('PUT /api/report-clients/:id', ({ body }) => {
      guard.prove()
      client = { ...client, ...reportClientChange.parse(body) }
      return client
    })
    const page = await open('/reports?tab=clients')
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit client' })
    const why = dialog.getByText(/shared links and scheduled reports will show the properties you add/)
    for (const name of [shop, elm]) await expectVisible(dialog.getByRole('checkbox', { name: shownProperty(name), exact: true }))
    await expectCount(why, 0)
    await dialog.getByRole('checkbox', { name: elm }).check()
    await expectVisible(why)
    await dialog.getByRole('button', { name: 'Save client' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await expectGone(dialog)
    await expectVisible(page.getByRole('article', { name: 'The Woods' }).getByText('2 properties'))
  })

  test('a schedule can be turned off on a plan without schedules, but not on again', async ({ desk, signIn, open }) => {
    signIn({ plan: 'free' })
    reportsOn(desk, 'free')
    const usual = { segment: null, kind: 'week', paper: 'a4', nextAt: null, lastSentAt: null, problem: null } as const
    let enabled = true
    const schedule = () => ({ ...usual, id: '1', subject: { property: shop }, title: shop, recipients: [], waiting: [], enabled })
    desk.answer('GET /api/report-schedules', () => ({ locked: 'Not in your plan.', recipientLimit: 0, schedules: [schedule()] }))
    desk.answer('PUT /api/report-schedules/:id', ({ body }) => {
      ;({ enabled } = reportScheduleChange.parse(body))
      return schedule()
    })
    const page = await open('/reports?tab=schedules')
    const card = page.getByRole('article', { name: shopName })
    await card.getByRole('switch').click()
    await expectVisible(card.getByText('turned off'))
    await expectDisabled(card.getByRole('switch'))
  })

  test('a schedule keeps a subject that can’t be chosen anymore', async ({ desk, signIn, open }) => {
    signIn({ plan: 'pro' })
    reportsOn(desk, 'pro')
    const usual = { segment: null, kind: 'week', paper: 'a4', enabled: false, nextAt: null, lastSentAt: null, problem: null } as const
    const idle = { ...usual, recipients: [], waiting: [] }
    const paused = 'https://paused.example/'
    const schedules: ReportSchedule[] = [
      { ...idle, id: '1', subject: { client: '12' }, title: 'Acme' },
      { ...idle, id: '2', subject: { property: paused }, title: paused },
    ]
    desk.answer('GET /api/report-schedules', { locked: null, recipientLimit: 5, schedules })
    const page = await open('/reports?tab=schedules')
    for (const [at, name] of ['Acme', paused].entries()) {
      await page.getByRole('button', { name: 'Edit' }).nth(at).click()
      const dialog = page.getByRole('dialog', { name: 'Edit schedule' })
      await expectText(dialog.getByRole('combobox', { name: 'Report on' }), name)
      await page.keyboard.press('Escape')
      await expectGone(dialog)
    }
  })

  test('a PDF says whom it is for, not that they got it, even if it failed', async ({ desk, signIn, open }) => {
    signIn({ plan: 'pro' })
    reportsOn(desk, 'pro')
    const run = { title: shop, kind: 'week', period: null, done: 0, total: 1, createdAt: '2026-11-12T08:00:00.000Z' } as const
    desk.answer('GET /api/report-runs', [{ ...run, id: '1', state: 'failed', recipients: 3, detail: 'No data.' }])
    const page = await open('/reports?tab=pdfs')
    await expectVisible(page.getByText('Failed', { exact: true }), page.getByText(/, for 3 recipients$/))
  })

  test('schedules a report for recipients with a valid address', async ({ desk, signIn, open }) => {
    signIn({ plan: 'agency' })
    reportsOn(desk, 'agency')
    const page = await open('/reports?tab=schedules')
    await page.getByRole('button', { name: 'New schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'New schedule' })
    await expectText(dialog.getByRole('combobox', { name: 'Report on' }), shownProperty(shop))
    await dialog.getByRole('radio', { name: 'Every week' }).check({ force: true })
    const field = dialog.getByRole('textbox', { name: 'Recipients' })
    await field.fill('nobody')
    await page.keyboard.press('Enter')
    await expectVisible(dialog.getByText('Please enter a valid email address'))
    await field.fill('oak@clients.example')
    await page.keyboard.press('Enter')
    await expectVisible(dialog.getByRole('button', { name: 'Remove oak@clients.example' }))
    await dialog.getByRole('button', { name: 'Create schedule' }).click()
    await expectVisible(page.getByRole('article', { name: shopName }))
    await expectGone(dialog)
    await expect
      .poll(() => desk.asked('POST /api/report-schedules').map(({ body }) => body))
      .toMatchObject([{ subject: { property: shop }, kind: 'week', recipients: ['oak@clients.example'] }])
    // Nobody gets one without consent: those who have yet to agree are named, and can be asked again.
    const card = page.getByRole('article', { name: shopName })
    await expectVisible(card.getByText(/Waiting for oak@clients\.example to confirm/))
    await card.getByRole('button', { name: 'Resend request' }).click()
    await expectToast(page, 'success', 'Request Sent')
    await expectGone(card.getByRole('button', { name: 'Resend request' }))
  })
})
