import { describe, expect, test } from 'vitest'
import { aboutMail, newsItem, section, standing } from '../../../../test/support/news-items.ts'
import type { MessageOf } from '../message.ts'
import { digestMail } from './digest-mail.ts'
import { testMail } from './test-mail.ts'

type Section = MessageOf<'digest'>['properties'][number]
const mailOf = (properties: Section[], frequency: 'daily' | 'weekly' = 'weekly') =>
  digestMail({ kind: 'digest', frequency, properties }, aboutMail)
const previewOf = (html: string) => /data-skip-in-text="true">([^<]+)</.exec(html)?.[1] ?? ''

test('how every property did, what happened there, and how much is open', () => {
  const query = { kind: 'query', name: 'lamp' } as const
  const { subject, html, text } = mailOf([
    section('sc-domain:example.com', {
      items: [
        newsItem({ alertId: '7' }),
        newsItem({ alertId: '8', severity: 'warning', event: 'recovered', about: { metric: 'ctr', entity: query, change: -20 } }),
      ],
      open: 4,
    }),
    section('https://blog.example/', { open: 1 }),
    section('New site', { standing: null }),
  ])
  expect(subject).toBe('Your weekly digest: 1 alert and 1 recovery on 3 sites')
  expect(previewOf(html)).toBe('Clicks dropped 45.2% across the site · example.com')
  const figures = `             3–9 Nov  27 Oct–2 Nov  Change
Clicks       1,234    1,195         ↑\u00A0+3.3%
Impressions  45,678   47,890        ↓\u00A0−4.6%
CTR          2.70%    2.50%         ↑\u00A0+8.3%
Position     8.4      8.4           →\u00A00.0%`
  expect(text).toBe(`1 alert and 1 recovery on 3 sites

Your sites over the last 7 complete days vs the previous 7.


example.com

${figures}


Critical: Clicks dropped 45.2% across the site (https://rank.example/alerts/7)

Clicks fell from 1,204 to 660 (−45.2%), 3–9 Nov vs 27 Oct–2 Nov.

Was this useful? Real change (https://rank.example/alert-verdict?say=useful&token=7.b) · Noise (https://rank.example/alert-verdict?say=noise&token=7.b)


Recovered: CTR dropped: “lamp” (https://rank.example/alerts/8)

Good news: this has recovered. The alert was: CTR for lamp fell from 120400.00% to 66000.00% (−20.0%), 3–9 Nov vs 27 Oct–2 Nov.

4 alerts are open.


https://blog.example/

${figures}

1 alert is open.


New site

No data yet: this property has no complete days.

View all alerts: https://rank.example/alerts

----------------------------------------

You're receiving this email because a weekly digest is sent to this address for the Ranklark account ann.

Manage alerts, channels and timing: Alert Settings (https://rank.example/alert-settings)

Don't want these emails? Unsubscribe (https://rank.example/unsubscribe?token=a.b)

Ranklark monitors your performance in Google Search. This installation: https://rank.example
`)
})

test.each([
  ['daily', [section('a.example')], 'Your daily digest: all quiet on 1 site'],
  ['weekly', [section('a.example'), section('b.example'), section('c.example')], 'Your weekly digest: all quiet on 3 sites'],
  [
    'weekly',
    [section('a.example', { items: [newsItem(), newsItem()] }), section('b.example'), section('c.example')],
    'Your weekly digest: 2 alerts on 3 sites',
  ],
  ['daily', [section('a.example', { items: [newsItem({ event: 'recovered' })] })], 'Your daily digest: 1 recovery on 1 site'],
] as const)('%s digest', (frequency, properties, subject) => {
  expect(mailOf([...properties], frequency).subject).toBe(subject)
})

describe('when all is quiet', () => {
  test('the first line says how the first site did, and the button leads to the dashboard', () => {
    const { html } = mailOf([section('New', { standing: null }), section('https://blog.example/')])
    expect(previewOf(html)).toBe('https://blog.example/: 1,234 clicks (+3.3%), 3–9 Nov')
    expect(html.match(/<a href="([^"]+)" class="button"/)?.[1]).toBe('https://rank.example/dashboard')
  })

  test('without any complete day', () => {
    expect(previewOf(mailOf([section('New', { standing: null })]).html)).toBe('No complete days yet.')
  })
})

test('what there is nothing to compare with, and a position that is not known', () => {
  const alone = { previous: null, change: null }
  const bare = standing({
    clicks: { value: 3, ...alone },
    impressions: { value: 0, ...alone },
    ctr: { value: 0, ...alone },
    position: { value: 0, previous: 0, change: null },
  })
  const { text } = mailOf([section('a.example', { standing: bare })])
  expect(text).toMatch(/Clicks +3 +– +–\nImpressions +0 +– +–\nCTR +0\.00% +– +–\nPosition +– +– +–/)
})

test('each property is told of its worst before any is told of more, and the rest is counted', () => {
  const many = Array.from({ length: 200 }, (_, at) => newsItem({ alertId: `a${at}` }))
  const { text } = mailOf([
    section('a.example', { items: many, open: 200 }),
    section('b.example', { items: [newsItem({ alertId: 'b' })], open: 1 }),
  ])
  expect(text.match(/^Critical: /gm)).toHaveLength(6)
  expect(text).toContain('/alerts/b)')
  expect(text).toContain('And 195 more. 200 alerts are open.')
})

test.each([
  ['sc-domain:example.com', 'Test email from Ranklark · example.com', 'Alerts about example.com and digests will arrive the same way.'],
  [null, 'Test email from Ranklark', 'Alerts and digests will arrive the same way.'],
])('a test mail says that nothing has happened: %s', (property, subject, says) => {
  const mail = testMail({ kind: 'test', property }, aboutMail)
  expect(mail.subject).toBe(subject)
  expect(mail.text).toContain(`This is only a test. ${says}`)
  expect(mail.text).toContain('Open Alert Settings: https://rank.example/alert-settings')
  expect(mail.text).toContain('Unsubscribe (https://rank.example/unsubscribe?token=a.b)')
})
