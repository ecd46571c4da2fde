import { describe, expect } from 'vitest'
import { alerts } from '../../src/contract/alerts/alerts.ts'
import { composeMail } from '../../src/server/delivery/email/compose-mail.ts'
import type { Message } from '../../src/server/delivery/message.ts'
import { sites } from '../support/app.ts'
import { startShortDemo } from '../support/browser-demo.ts'
import { chromiumTest } from '../support/chromium-test.ts'
import { runJob } from '../support/jobs.ts'
import { digestMail } from '../support/mail-pictures.ts'
import { aboutMail, messageItem, section } from '../support/message-items.ts'

// The email of a bad week fits on two phone screens, and has one entry per cause.

const screen = { width: 375, height: 812 }
const two = 2 * screen.height

const test = chromiumTest
  .extend('heightOf', ({ chromium }) => async (html: string) => {
    const context = await chromium.newContext({ viewport: { ...screen, height: 100 }, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.setContent(html)
    const { height } = (await page.locator('html').boundingBox()) ?? { height: Infinity }
    const width = await page.locator('table').first().boundingBox()
    await context.close()
    expect(width?.width).toBeLessThanOrEqual(screen.width)
    return height
  })
  .extend('app', async ({}, { onCleanup }) => {
    const app = await startShortDemo()
    onCleanup(() => app.close())
    return app
  })

/** Reports that an email links to. */
const entriesOf = (text: string) => new Set(text.match(/\/alerts\/\d+/g))

test('the digest of the sample properties’ worst week', async ({ app, heightOf }) => {
  const demo = await app.demo()
  const { html, text } = await digestMail(app, demo)
  const listed = alerts.parse((await demo.get('/api/alerts?property=all')).body)
  expect(entriesOf(text).size).toBe(listed.length)
  expect(listed.length).toBeLessThanOrEqual(6)
  expect(text).not.toMatch(/^And \d+ more/m)
  expect(text).toMatch(/ lost clicks were |Mainly /)
  expect(await heightOf(html)).toBeLessThanOrEqual(two)

  // The page that died, with the queries that led to it and all of their figures.
  const dead = listed.filter(({ target, entity, findings = [] }) =>
    [entity, ...findings.map((finding) => finding.entity)].some(({ name }) => target === sites.shop && name.includes('rattan-lamp')),
  )
  expect(dead).toHaveLength(1)
  expect(dead[0]?.findings?.length).toBeGreaterThan(1)
})

test('the same week with instant alerts is one message about all of them', async ({ app, heightOf }) => {
  const demo = await app.demo()
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'agency'`)
  expect((await demo.send('POST', '/api/delivery-settings', { frequency: 'instant' })).status).toBe(201)
  expect((await demo.send('POST', '/api/alerts/evaluate?property=all', {})).status).toBe(200)
  app.google.advance(30 * 60_000)
  await runJob(app, 'delivery-due')
  const mails = (await app.mail.mails('demo@ranklark.example')).filter(({ kind }) => kind === 'alerts')
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toMatch(/ of your 3 properties|all 3 of your properties/)
  expect(await heightOf(mails[0]?.html ?? '')).toBeLessThanOrEqual(two)
})

describe('however much happened', () => {
  const site = (at: number) => `https://lamp-shop-${at}.example/`
  const series = Array.from({ length: 28 }, (_day, day) => 1000 - 20 * day)
  const items = (at: number) =>
    Array.from({ length: 40 }, (_item, n) => {
      const name = `${site(at)}collections/lamps/desk-lamp-${n}`
      const contributors = Array.from({ length: 5 }, (_, c) => ({
        name: `${name}?c=${c}`,
        previousValue: 1240,
        currentValue: 620,
        change: -50,
      }))
      const entity = { kind: 'page', name } as const
      const findings = (['impressions', 'ctr', 'position'] as const).map((type) => ({
        id: '9',
        severity: 'warning' as const,
        state: 'firing' as const,
        title: '',
        currentValue: 1,
        previousValue: 2,
        type,
        entity,
        change: -48,
      }))
      const why = [
        '380 of the 412 lost clicks were from ',
        { name: 'a keyword as long as they usually are, and then some' },
        '.',
        ' ',
        'Mainly lower positions (−300), then fewer impressions at the same positions (−80), partly offset by new keywords (+40).',
      ]
      return messageItem({
        about: { entity },
        why,
        series,
        contributors,
        findings,
        moreFindings: 12,
        ...(n > 30 && { severity: 'positive' }),
      })
    })
  const messages: [string, Message][] = [
    ['alerts of one property', { kind: 'alerts', properties: [{ name: site(1), items: items(1) }], monitored: 1 }],
    ['alerts of six', { kind: 'alerts', properties: [1, 2, 3, 4, 5, 6].map((at) => ({ name: site(at), items: items(at) })), monitored: 6 }],
    [
      'a digest of six',
      {
        kind: 'digest',
        frequency: 'weekly',
        properties: [1, 2, 3, 4, 5, 6].map((at) => section(site(at), { items: items(at), open: 30 })),
      },
    ],
    [
      'a digest of three',
      { kind: 'digest', frequency: 'weekly', properties: [1, 2, 3].map((at) => section(site(at), { items: items(at), open: 30 })) },
    ],
  ]
  test.for(messages)('%s', async ([, message], { heightOf }) => {
    const { html, text } = composeMail(message, aboutMail)
    expect(await heightOf(html)).toBeLessThanOrEqual(two)
    expect(text).toContain('380 of the 412 lost clicks')
  })
})
