import { describe, expect, test } from 'vitest'
import { aboutMail, acrossAnEdge, messageItem, section, standing } from '../../../../test/support/message-items.ts'
import type { MessageOf } from '../message.ts'
import { digestMail } from './digest-mail.ts'
import { testMail } from './test-mail.ts'

type Section = MessageOf<'digest'>['properties'][number]
const mailOf = (properties: Section[], frequency: 'daily' | 'weekly' = 'weekly') =>
  digestMail({ kind: 'digest', frequency, properties }, aboutMail)
const previewOf = (html: string) => /data-skip-in-text="true">([^<]+)</.exec(html)?.[1] ?? ''

test('each property starts with a sentence about it, followed by its alerts', () => {
  const query = { kind: 'query', name: 'lamp' } as const
  const { subject, html, text } = mailOf([
    section('sc-domain:example.com', {
      items: [
        messageItem({ alertId: '7' }),
        messageItem({ alertId: '8', severity: 'warning', event: 'recovered', about: { metric: 'ctr', entity: query, change: -20 } }),
      ],
      open: 4,
    }),
    section('https://blog.example/', { open: 1 }),
    section('New site', { standing: null }),
  ])
  expect(subject).toBe('Your weekly digest: 1 alert and 1 recovery on 3 properties')
  expect(previewOf(html)).toBe('Clicks dropped 45.2% across the site · example.com')
  const figures = 'Impressions 45,678 (−4.6%) · CTR 2.70% (+8.3%) · Position 8.4 (unchanged)'.replaceAll(/ (?!·)(?<!· )/g, '\u00A0')
  expect(text).toBe(`1 alert and 1 recovery on 3 properties

example.com: 1,234 clicks, up 3.3% from 1,195 the week before; 4 open alerts.

${figures}

https://blog.example/: 1,234 clicks, up 3.3% from 1,195 the week before; 1 open alert.

${figures}

New site: no complete days yet; no open alerts.

3–9 Nov vs 27 Oct–2 Nov.


example.com


Critical: Clicks dropped 45.2% across the site (https://rank.example/alerts/7)

Clicks fell from 1,204 to 660 (−45.2%), 3–9 Nov vs 27 Oct–2 Nov.

How would you rate this alert? Real change (https://rank.example/alert-verdict?say=useful&token=7.b) · Noise (https://rank.example/alert-verdict?say=noise&token=7.b)


Good news

 * Recovered: CTR dropped: “lamp” (https://rank.example/alerts/8) · example.com

View all alerts: https://rank.example/alerts

----------------------------------------

You're receiving this email because a weekly digest is sent to this address for the Ranklark account ann.

Manage alerts, channels and timing: Alert Settings (https://rank.example/alert-settings)

Don't want these emails? Unsubscribe (https://rank.example/unsubscribe?token=a.b)

Ranklark monitors your performance in Google Search. Sent from https://rank.example
`)
})

test('an alert that is over, acknowledged or snoozed by then is said to be so, and is not counted as an open alert', () => {
  const ended = { as: 'recovered', at: '2026-11-12T06:30:00.000Z', reason: 'back' } as const
  const over = messageItem({ alertId: '7', state: 'recovered', ended })
  const alone = mailOf([section('sc-domain:example.com', { items: [over] })])
  expect(alone.subject).toBe('Your weekly digest: 1 recovery on 1 property')
  expect(alone.text).toContain('Recovered: Clicks dropped across the site')
  expect(alone.text).toContain('Good news: this recovered on 12 November 2026. The alert was: Clicks fell from 1,204 to 660')
  const settled = messageItem({ alertId: '8', state: 'recovered', ended: { ...ended, as: 'settled', reason: 'new_level' } })
  const { subject, text } = mailOf([
    section('sc-domain:example.com', {
      items: [messageItem({ state: 'acknowledged' }), messageItem({ state: 'snoozed', severity: 'warning' }), over, settled],
      open: 2,
    }),
  ])
  expect(subject).toBe('Your weekly digest: 1 acknowledged alert, 1 snoozed alert, 1 recovery and 1 ended alert on 1 property')
  expect(text).toMatch(/Critical: Clicks dropped 45.2% across the site \([^)]*\) · acknowledged/)
  expect(text).toMatch(/Warning: Clicks dropped 45.2% across the site \([^)]*\) · snoozed/)
  expect(text).toMatch(/Good news\n\n \* Recovered: Clicks dropped across the site/)
  expect(text).toMatch(/No longer open\n\n \* Settled: Clicks dropped across the site/)
})

test.each([
  ['worsened', 'acknowledged'],
  ['woken', 'snoozed'],
] as const)('an alert that was %s and is %s by then is just the latter', (event, state) => {
  const { text } = mailOf([section('sc-domain:example.com', { items: [messageItem({ event, state })], open: 1 })])
  expect(text).toContain(` · ${state}`)
  expect(text).not.toMatch(/has been open since|still active/)
})

test('figures that Google counted differently in the two weeks have no change, and the email says why', () => {
  const { text } = mailOf([section('sc-domain:example.com', { standing: acrossAnEdge })])
  expect(text).toContain('example.com: 1,234 clicks, up 3.3% from 1,195 the week before')
  expect(text.replaceAll('\u00A0', ' ')).toContain(
    'Impressions 45,678 (not comparable) · CTR 2.70% (not comparable) · Position 8.4 (not comparable)',
  )
  expect(text).toContain(
    "28 Apr–4 May vs 21–27 Apr. Impressions, CTR and position can't be compared: Google counted differently on some of these days.",
  )
  // With more properties it shows clicks only.
  const many = mailOf(['a', 'b', 'c', 'd'].map((name) => section(name, { standing: acrossAnEdge }))).text
  expect(many).not.toContain('compared')
  const clicks = { value: 1234, previous: 1195, change: null, incomparable: 'counted differently' }
  const lost = mailOf([section('a', { standing: standing({ clicks }) })]).text
  expect(lost).toContain('a: 1,234 clicks, not comparable with 1,195 the week before; no open alerts.')
  expect(lost).toContain("Clicks can't be compared")
})

test('the most severe alerts come with their main cause', () => {
  const why = ['380 of the 412 lost clicks were on ', { name: 'https://example.com/lamps/' }, '.']
  const items = [1, 2, 3].map((at) => messageItem({ alertId: `${at}`, why: [...why, ` Mainly ${at}.`] }))
  const { text } = mailOf([section('sc-domain:example.com', { items, open: 3 })])
  expect(text).toContain('27 Oct–2 Nov. 380 of the 412 lost clicks were on /lamps/. Mainly 1.\n')
  expect(text.match(/Mainly \d/g)).toEqual(['Mainly 1', 'Mainly 2'])
})

test('the subject names properties that drop together', () => {
  const fallen = (name: string) => section(name, { items: [messageItem({ about: { entity: { kind: 'site', name } } })], open: 1 })
  const { subject, text } = mailOf([fallen('a.example'), fallen('b.example'), section('c.example')])
  expect(subject).toBe('Your weekly digest: Clicks fell on 2 of your 3 properties, 3–9 Nov')
  expect(text.startsWith('Clicks fell on 2 of your 3 properties, 3–9 Nov\n')).toBe(true)
})

test.each([
  ['daily', [section('a.example')], 'Your daily digest: all quiet on 1 property'],
  ['weekly', [section('a.example'), section('b.example'), section('c.example')], 'Your weekly digest: all quiet on 3 properties'],
  ['daily', [section('a.example', { open: 1 })], 'Your daily digest: no new alerts on 1 property, 1 still open'],
  [
    'weekly',
    [section('a.example', { items: [messageItem(), messageItem()] }), section('b.example'), section('c.example')],
    'Your weekly digest: 2 alerts on 3 properties',
  ],
  ['daily', [section('a.example', { items: [messageItem({ event: 'recovered' })] })], 'Your daily digest: 1 recovery on 1 property'],
] as const)('%s digest', (frequency, properties, subject) => {
  expect(mailOf([...properties], frequency).subject).toBe(subject)
})

describe('without alerts', () => {
  test('it says so in one sentence', () => {
    expect(mailOf([section('a.example'), section('b.example')]).text).toMatch(
      /^Nothing unusual happened on your 2 properties\n\na\.example: /,
    )
    expect(mailOf([section('a.example')], 'daily').text).toMatch(/^Nothing unusual happened on your property\n/)
  })

  test('it calls nothing quiet while alerts of earlier days are open', () => {
    const { text } = mailOf([section('a.example', { open: 2 }), section('b.example', { open: 1 })])
    expect(text).toMatch(/^No new alerts on your 2 properties, 3 still open\n/)
    expect(mailOf([section('a.example', { open: 1 })]).text).toMatch(/^No new alerts on your property, 1 still open\n/)
  })

  test('the first line says how the first site did, and the button leads to the dashboard', () => {
    const { html } = mailOf([section('New', { standing: null }), section('https://blog.example/')])
    expect(previewOf(html)).toBe('https://blog.example/: 1,234 clicks, up 3.3% from 1,195 the week before; no open alerts.')
    expect(html.match(/<a href="([^"]+)" class="button"/)?.[1]).toBe('https://rank.example/dashboard')
  })

  test('the first line says when there are no complete days', () => {
    expect(previewOf(mailOf([section('New', { standing: null })]).html)).toBe('No complete days yet.')
  })
})

test('figures without a comparison, and an unknown position', () => {
  const alone = { previous: null, change: null }
  const bare = standing({
    clicks: { value: 3, ...alone },
    impressions: { value: 0, ...alone },
    ctr: { value: 0, ...alone },
    position: { value: 0, previous: 0, change: null },
  })
  const { text } = mailOf([section('a.example', { standing: bare })])
  expect(text.replaceAll('\u00A0', ' ')).toContain('a.example: 3 clicks; no open alerts.\n\nImpressions 0 · CTR 0.00% · Position –\n')
})

test.each([
  ['a larger one is worse', 8.42, 7.2, 16.94, 'Position 8.4 (1.2 worse)'],
  ['a smaller one is better', 7.2, 8.42, -14.49, 'Position 7.2 (1.2 better)'],
  ['as they are shown', 4.24, 4.16, 1.92, 'Position 4.2 (unchanged)'],
])('a change in position is in places, never in percent: %s', (_what, value, previous, change, words) => {
  const { text } = mailOf([section('a.example', { standing: standing({ position: { value, previous, change } }) })])
  expect(text.replaceAll('\u00A0', ' ')).toContain(` · ${words}\n`)
})

test.each([
  [1234, 1234, 0, '1,234 clicks, unchanged from the week before'],
  [1234, 1500, -17.73, '1,234 clicks, down 17.7% from 1,500 the week before'],
  [1, 0, null, '1 click, up from 0 the week before'],
])('%d clicks after %d', (value, previous, change, words) => {
  const clicks = { value, previous, change }
  expect(mailOf([section('a.example', { standing: standing({ clicks }) })]).text).toContain(`a.example: ${words}; no open alerts.`)
})

test("every property's worst alert is listed before any second one, and the rest are counted", () => {
  const many = Array.from({ length: 200 }, (_, at) => messageItem({ alertId: `a${at}` }))
  const { text } = mailOf([
    section('a.example', { items: many, open: 200 }),
    section('b.example', { items: [messageItem({ alertId: 'b' })], open: 1 }),
  ])
  expect(text.match(/Critical: /g)).toHaveLength(4)
  expect(text).toContain('/alerts/b)')
  expect(text).toContain('a.example: 1,234 clicks, up 3.3% from 1,195 the week before; 200 open alerts.')
  expect(text).toContain('And 197 more.')
})

test.each([
  ['sc-domain:example.com', 'Test email from Ranklark · example.com', 'Alerts about example.com and digests will arrive the same way.'],
  [null, 'Test email from Ranklark', 'Alerts and digests will arrive the same way.'],
])('a test email says that nothing happened: %s', (property, subject, says) => {
  const mail = testMail({ kind: 'test', property }, aboutMail)
  expect(mail.subject).toBe(subject)
  expect(mail.text).toContain(`This is only a test. ${says}`)
  expect(mail.text).toContain('Open Alert Settings: https://rank.example/alert-settings')
  expect(mail.text).toContain('Unsubscribe (https://rank.example/unsubscribe?token=a.b)')
})
