import { describe, expect, test } from 'vitest'
import { aboutMail, alertsOf, connectionItem, messageItem } from '../../../../test/support/message-items.ts'
import type { AlertFacts } from '../../../core/alerting/copy.ts'
import type { MessageOf, MessageItem } from '../message.ts'
import { alertsMail } from './alerts-mail.ts'

const mailOf = (items: MessageItem[], property?: string) => alertsMail(alertsOf(items, property), aboutMail)
const page = (name = 'https://example.com/lamps') => ({ entity: { kind: 'page', name } as const })
const previewOf = (html: string) => /data-skip-in-text="true">([^<]+)</.exec(html)?.[1] ?? ''
const headlineOf = (html: string) => /<h1[^>]*>([^<]+)</.exec(html)?.[1]
const earlier = Array.from({ length: 14 }, (_, day) => 40 - day)
const series = [...earlier, 31, 30, 33, 30, 28, 29, 22, 20, 21, 23, 20, 22, 21, 0]

test('one alert: what changed, from what to what, over which dates, since when, what contributed, and where to look', () => {
  const item = messageItem({
    alertId: '7',
    series,
    contributors: [
      { name: 'https://example.com/lamps', previousValue: 400, currentValue: 150, change: -62.5 },
      { name: '<b>“odd”</b>', previousValue: 0, currentValue: 3, change: null },
    ],
  })
  const { subject, html, text } = mailOf([item])
  expect(subject).toBe('Clicks dropped 45.2% across the site · example.com')
  expect(text).toBe(`Clicks dropped 45.2% across the site

Critical: example.com

Clicks fell from 1,204 to 660 (−45.2%), 3–9 Nov vs 27 Oct–2 Nov.

          Clicks    Days
Previous  1,204     27 Oct–2 Nov
Current   660       3–9 Nov
Change    ↓\u00A0−45.2%${'  '}

Open since 12 November 2026.

Clicks by day, 13 Oct–9 Nov: ${earlier.join(', ')}, 31, 30, 33, 30, 28, 29, 22, 20, 21, 23, 20, 22, 21, 0


Clicks: top contributors

                           Previous  Current  Change
https://example.com/lamps  400       150      ↓\u00A0−62.5%
<b>“odd”</b>               0         3        ↑\u00A0from\u00A00

How would you rate this alert? Real change (https://rank.example/alert-verdict?say=useful&token=7.b) · Noise (https://rank.example/alert-verdict?say=noise&token=7.b)

View full report: https://rank.example/alerts/7

View in Search Console (https://search.google.com/search-console?resource_id=sc-domain%3Aexample.com)

----------------------------------------

You're receiving this email because alerts about example.com are sent to this address for the Ranklark account ann.

Manage alerts, channels and timing: Alert Settings (https://rank.example/alert-settings)

Don't want these emails? Unsubscribe (https://rank.example/unsubscribe?token=a.b)

Ranklark monitors your performance in Google Search. Sent from https://rank.example
`)
  expect(headlineOf(html)).toBe('Clicks dropped 45.2% across the site')
  expect(previewOf(html)).toBe('Clicks fell from 1,204 to 660 (−45.2%), 3–9 Nov vs 27 Oct–2 Nov.')
})

describe('the subject says what changed first', () => {
  test.each<[Partial<AlertFacts>, string]>([
    [{ ...page(), metric: 'impressions', change: 61.24 }, 'Impressions spiked 61.2%: /lamps'],
    [{ entity: { kind: 'query', name: 'lamp' }, metric: 'ctr', change: -11.1 }, 'CTR dropped 11.1%: “lamp”'],
    [{ entity: { kind: 'query', name: 'lamp' }, metric: 'position', change: 4.29 }, 'Position dropped by 4.3 positions: “lamp”'],
    [{ entity: { kind: 'query', name: 'lamp' }, metric: 'position', change: -4 }, 'Position improved by 4.0 positions: “lamp”'],
    [
      { kind: 'lost_query', metric: 'position', entity: { kind: 'query', name: 'lamp' }, current: null, change: null },
      'Lost ranking: “lamp”',
    ],
    [{ ...page(), previous: 0, change: null }, 'Clicks spiked from 0: /lamps'],
    [{ kind: 'new_page', metric: 'position', ...page(), previous: null, change: null }, 'New ranking page: /lamps'],
  ])('%j', (facts, subject) => {
    expect(mailOf([messageItem({ about: facts })]).subject).toBe(`${subject} · example.com`)
  })

  test.each([
    [['opened', 'opened', 'opened'], '3 alerts on example.com: Clicks dropped 45.2% across the site'],
    [['woken', 'recovered'], '1 alert and 1 recovery on example.com: Clicks dropped 45.2% across the site'],
    [['recovered', 'recovered'], '2 recoveries on example.com: Clicks dropped across the site, now over'],
    [['recovered'], 'Recovered: Clicks dropped across the site · example.com'],
    [['woken'], 'Clicks dropped 45.2% across the site · example.com'],
  ] as const)('%j', (events, subject) => {
    expect(mailOf(events.map((event) => messageItem({ event }))).subject).toBe(subject)
  })

  test('and so does the first line of an email about several alerts', () => {
    const { html } = mailOf([messageItem(), messageItem(), messageItem({ event: 'recovered' })])
    expect(headlineOf(html)).toBe('2 alerts and 1 recovery on example.com')
    expect(previewOf(html)).toBe('Clicks fell from 1,204 to 660 (−45.2%), 3–9 Nov vs 27 Oct–2 Nov. And 2 more.')
  })
})

describe('every email', () => {
  const both = [mailOf([messageItem({ series })]), mailOf([connectionItem(), messageItem({ series }), messageItem({ event: 'recovered' })])]
  test.each(both)('$subject', ({ html }) => {
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).not.toMatch(/<img|<script|<link |@import|url\(/)
    expect(html.match(/class="button"/g)).toHaveLength(1)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).not.toMatch(/<style>[^<]*&(?:amp|quot|#)/)
  })
})

test('several alerts: each title leads to its report, and one button to all of them', () => {
  const { html, text } = mailOf([messageItem({ alertId: '1' }), messageItem({ alertId: '2', severity: 'warning', about: page() })])
  expect(text).toContain('Critical: Clicks dropped 45.2% across the site (https://rank.example/alerts/1)')
  expect(text).toContain('Warning: Clicks dropped 45.2%: /lamps (https://rank.example/alerts/2)')
  expect(text).toContain('View all alerts: https://rank.example/alerts\n')
  expect(html.match(/<a href="([^"]+)" class="button"/)?.[1]).toBe('https://rank.example/alerts')
})

test('pages of one host are listed by path, and the host once', () => {
  const contributors = ['/', '/lamps?a=b', '/<i>'].map((path) => ({
    name: `https://www.example.com${path}`,
    previousValue: 4,
    currentValue: 2,
    change: -50,
  }))
  const { html, text } = mailOf([messageItem({ contributors })])
  // Where its column is too narrow, the host wraps before a dot.
  expect(html).toContain('www<wbr/>.example<wbr/>.com<')
  expect(text).toMatch(/www\.example\.com +Previous +Current +Change\n\/ +4 .*\n\/lamps\?a=b +4 .*\n\/<i> +4 /)
})

test.each<[NonNullable<MessageItem['ended']>, string, string]>([
  [
    { as: 'settled', at: '2026-11-20T06:30:00.000Z', reason: 'new_level', level: { value: 280, before: 700, days: 7 } },
    'Settled at a new level: Clicks dropped across the site · example.com',
    'This has settled at a new level: 280 clicks a week, was 700. The alert was: Clicks fell',
  ],
  [
    { as: 'revised', at: '2026-11-20T06:30:00.000Z', reason: 'revised' },
    'Data revised: Clicks dropped across the site · example.com',
    'Google revised the data, so this is no longer unusual. The alert was: Clicks fell',
  ],
  [
    { as: 'ended', at: '2026-11-20T06:30:00.000Z', reason: 'rule_changed' },
    'Ended: Clicks dropped across the site · example.com',
    'This has ended. The alert was: Clicks fell',
  ],
])('an alert whose metric did not come back is not called recovered or good news: $as', (ended, title, words) => {
  const { subject, text, html } = mailOf([messageItem({ event: 'recovered', state: 'recovered', ended })])
  expect(subject).toBe(title)
  expect(text).toContain(words)
  expect(text).not.toMatch(/good news|recover/i)
  const several = mailOf([messageItem(), messageItem({ event: 'recovered', state: 'recovered', ended })])
  expect(several.subject).toContain('1 alert and 1 ended alert on example.com')
  expect(several.text).toMatch(/No longer open\n\n \* (Settled|Data revised|Ended): Clicks dropped/)
  expect(html + several.html).not.toMatch(/Good news|class="badge positive"/)
})

test('a recovered alert is good news, without outdated figures', () => {
  const { text } = mailOf([
    messageItem({ event: 'recovered', series, contributors: [{ name: 'x', previousValue: 1, currentValue: 2, change: 100 }] }),
  ])
  expect(text).toContain('Good news: this has recovered. The alert was: Clicks fell from 1,204 to 660')
  expect(text).not.toMatch(/Previous|by day|contributors/)
})

test('the rules that found an alert are named if there are several, in full and in short', () => {
  const rules = ['Clicks <b>fell</b>', 'Unusual changes']
  const said = 'Found by the rules “Clicks <b>fell</b>” and “Unusual changes”.'
  expect(mailOf([messageItem({ rules })]).text).toContain(said)
  const several = mailOf([messageItem(), messageItem({ rules }), messageItem({ rules: ['Alone'] })])
  expect(several.text).toContain(said)
  expect(several.text).not.toContain('Alone')
})

test('an alert that became critical, of which its reader may not have heard, says since when it has been open', () => {
  const { text } = mailOf([messageItem({ event: 'worsened', openedAt: '2026-11-03T12:00:00.000Z' })])
  expect(text).toContain('This critical alert has been open since 3 November 2026. Clicks fell')
})

test('an alert that became far worse says from what to what, even to people who had acknowledged it', () => {
  const worse = messageItem({ event: 'worsened', state: 'acknowledged', worse: { before: -12, now: -98 } })
  expect(mailOf([worse]).text).toContain('This alert has become much worse: was −12.0%, now −98.0%. Clicks fell')
  expect(mailOf([worse]).text).not.toContain('acknowledged')
  const byHours = { ...worse, worse: { before: -12, now: -90.4, soFar: 'so far on 18 Mar (through 14:00 Pacific)' } }
  expect(mailOf([byHours]).text).toContain('was −12.0%, now −90.4% so far on 18 Mar (through 14:00 Pacific). ')
  expect(mailOf([byHours]).subject).toContain('dropped 90.4%')
})

test('an alert whose snooze ended says so', () => {
  expect(mailOf([messageItem({ event: 'woken' })]).text).toContain('Snooze ended; this alert is still active. Clicks fell')
})

test('a comparison with thirty days says average week, and another year is named', () => {
  const windows = { current: { start: '2026-01-03', end: '2026-01-09' }, base: { start: '2025-12-04', end: '2026-01-02' } }
  const { text } = mailOf([messageItem({ about: { windows } })])
  expect(text).toContain('weekly average, 4 Dec 2025–2 Jan 2026')
  expect(text).toMatch(/Current +660 +3–9 Jan 2026/)
})

test('a rise from zero has no percentage', () => {
  const { text } = mailOf([messageItem({ about: { previous: 0, current: 4000, change: null } })])
  expect(text).toContain('Clicks rose from 0 to 4,000, 3–9 Nov')
  expect(text).toMatch(/Previous +0 .*\nCurrent +4,000 .*\nChange +↑.from.0/)
})

test('new and lost keywords and pages', () => {
  const query = { kind: 'query', name: 'lamp' } as const
  const found = mailOf([
    messageItem({ about: { kind: 'new_query', metric: 'position', entity: query, previous: null, current: 6.5, change: null } }),
  ])
  expect(found.text).toMatch(/Previous +none .*\nCurrent +6\.5 .*\nChange +new/)
  const lost = mailOf([
    messageItem({ about: { kind: 'lost_query', metric: 'position', entity: query, previous: 3, current: null, change: null } }),
  ])
  expect(lost.text).toMatch(/Previous +3\.0 .*\nCurrent +none .*\nChange +gone/)
})

describe('day by day', () => {
  const bars = (html: string) =>
    [...html.matchAll(/class="(now|before)" style="background-color:#\w+;height:(\d+)px"/g)].map(([, kind, px]) => [kind, Number(px)])

  test('bars start at zero, with the evaluated days highlighted', () => {
    const days = Array.from({ length: 28 }, (_, day) => [0, 100, 50, 25][day] ?? 100)
    const drawn = bars(mailOf([messageItem({ series: days })]).html)
    expect(drawn.map(([, px]) => px)).toEqual(days.map((value) => Math.max(1, value * 0.48)))
    expect(drawn.map(([kind]) => kind)).toEqual(days.map((_, day) => (day < 21 ? 'before' : 'now')))
  })

  test('days have no labels if one of them is unknown, which is left out', () => {
    const { html, text } = mailOf([messageItem({ series: series.slice(1) })])
    expect(text).toContain(`Clicks by day, through 9 November 2026: ${series.slice(1).join(', ')}`)
    expect(new Set(bars(html).map(([kind]) => kind))).toEqual(new Set(['before']))
  })

  test('the caption says which days are highlighted, unless some are unknown', () => {
    const captionOf = (days: number) =>
      /Clicks by day, [^<:]*(?=<)/.exec(mailOf([messageItem({ series: Array.from({ length: days }, () => 5) })]).html)?.[0]
    expect(captionOf(28)).toBe('Clicks by day, 13 Oct–9 Nov; 3–9 Nov in blue')
    expect(captionOf(27)).toBe('Clicks by day, through 9 November 2026')
  })

  test('positions hang from the top; their days have no labels, since those without a position are left out', () => {
    const query = { kind: 'query', name: 'lamp' } as const
    const { html, text } = mailOf([
      messageItem({ about: { metric: 'position', entity: query, previous: 4, current: 8, change: 4 }, series: [4, 8] }),
    ])
    expect(html).toContain('<td valign="top"><div class="before"')
    expect(text).toContain('Position by day, through 9 November 2026: 4.0, 8.0')
  })

  test.each([[[]], [[5]], [[0, 0, 0]]])('no chart for %j', (few) => {
    expect(mailOf([messageItem({ series: few })]).text).not.toContain('by day')
  })
})

describe('an alert about the connection', () => {
  test('says how to fix it, with the full URL', () => {
    const { text } = mailOf([connectionItem()])
    expect(text).toContain('What to do: Reconnect Google (https://rank.example/api/auth/google?redirect=/dashboard)')
    expect(text).not.toContain('Previous')
    const elsewhere = { label: 'Open Search Console', href: 'https://search.google.com/search-console' }
    expect(mailOf([connectionItem({ action: elsewhere })]).text).toContain('What to do: Open Search Console (https://search.google.com/')
    expect(mailOf([connectionItem({ action: null })]).text).not.toContain('What to do')
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://evil.example/',
    '//evil.example/',
    'evil.example',
    'ftp://evil.example/',
    '',
  ])('never links to %j', (href) => {
    const { html, text } = mailOf([connectionItem({ action: { label: 'Mend it', href } })])
    expect(html + text).not.toMatch(/Mend it|evil|javascript:|data:text/)
  })

  test('says when it works again', () => {
    const { text } = mailOf([connectionItem({ event: 'recovered' })])
    expect(text).toContain('Good news: this was resolved. The problem was: Google access expired or was revoked')
    expect(text).not.toContain('Reconnect')
  })
})

test('an imported property has no link to Search Console', () => {
  expect(mailOf([messageItem()], 'My old shop').html).not.toContain('search.google.com')
})

test('of many alerts, two have their sentence, two their title, and the rest are counted', () => {
  const items = Array.from({ length: 44 }, (_, at) => messageItem({ alertId: String(at + 1), series }))
  const { subject, text } = mailOf(items)
  expect(subject).toMatch(/^44 alerts on /)
  expect(text).not.toContain(' by day, ')
  expect(text.match(/^Clicks fell from /gm)).toHaveLength(2)
  expect(text.match(/^ \* Critical: /gm)).toHaveLength(2)
  expect(text).toContain('https://rank.example/alerts/4)')
  expect(text).not.toContain('https://rank.example/alerts/5)')
  expect(text).toContain('And 40 more.')
})

describe('several properties', () => {
  const fallen = (name: string, alertId: string, facts: Partial<AlertFacts> = {}) => ({
    name,
    items: [messageItem({ alertId, about: { entity: { kind: 'site', name }, ...facts } })],
  })
  const mailOfAll = (properties: MessageOf<'alerts'>['properties'], monitored = 4) =>
    alertsMail({ kind: 'alerts', properties, monitored }, aboutMail)

  test('that drop together are one message, whose subject and first line say so', () => {
    const { subject, html, text } = mailOfAll([
      fallen('sc-domain:a.example', '1'),
      fallen('https://b.example/', '2'),
      fallen('sc-domain:c.example', '3'),
    ])
    expect(subject).toBe('Clicks fell on 3 of your 4 properties, 3–9 Nov')
    expect(headlineOf(html)).toBe(subject)
    for (const site of ['a.example', 'https://b.example/', 'c.example']) expect(text).toContain(`\n${site}\n`)
    expect(text.match(/^Clicks fell from /gm)).toHaveLength(3)
  })

  test("a search type other than web isn't part of that", () => {
    const { subject, text } = mailOfAll(
      ['1', '2'].map((id) => ({
        name: `https://${id}.example/`,
        items: [{ ...messageItem({ alertId: id, about: { searchType: 'discover' } }), searchType: 'discover' as const }],
      })),
    )
    expect(subject).toBe('2 alerts on 2 of your 4 properties')
    expect(text).toMatch(/^Clicks in Discover fell from /m)
  })

  test('with different alerts are counted', () => {
    const { subject, text } = mailOfAll([
      fallen('sc-domain:a.example', '1'),
      fallen('https://b.example/', '2', page('https://b.example/lamps')),
    ])
    expect(subject).toBe('2 alerts on 2 of your 4 properties')
    expect(text).toContain('Critical: Clicks dropped 45.2%: /lamps (https://rank.example/alerts/2)')
  })
})

test('good news has its own section, below what got worse', () => {
  const { subject, text } = mailOf([
    messageItem({ alertId: '1' }),
    messageItem({ alertId: '2', severity: 'positive', about: { ...page(), change: 60 } }),
    messageItem({ alertId: '3', event: 'recovered' }),
  ])
  expect(subject).toContain('1 alert, 1 improvement and 1 recovery on example.com')
  expect(text.slice(text.indexOf('\nGood news\n'))).toMatch(
    /^\nGood news\n\n \* Positive: .*\/alerts\/2\)\n \* Recovered: .*\/alerts\/3\)\n/,
  )
})

test('other findings with the same cause are one line', () => {
  const found = (id: string, type: 'impressions' | 'ctr', entity: { kind: 'page' | 'query'; name: string }, change: number) =>
    ({ id, type, entity, change, severity: 'warning', state: 'firing', title: '', currentValue: 1, previousValue: 2 }) as const
  const lamps = { kind: 'page', name: 'https://example.com/lamps' } as const
  const findings = [
    found('2', 'impressions', lamps, -48),
    found('3', 'ctr', lamps, -12.14),
    ...['lamp', 'desk lamp', 'lamp'].map((name, at) => found(String(4 + at), 'ctr', { kind: 'query', name }, -30)),
  ]
  const item = messageItem({ about: { entity: lamps }, findings })
  expect(mailOf([item]).text).toContain('Also: impressions −48.0%, CTR −12.1%, 2 keywords\n')
  expect(mailOf([{ ...item, moreFindings: 7 }, messageItem()]).text).toContain('Also: impressions −48.0%, CTR −12.1%, 2 keywords, 7 more\n')
})

test('the reason and coincidences are written out, and names in them are plain text', () => {
  const item = messageItem({
    why: ['380 of the 544 lost clicks were on ', { name: '/<img src=x>' }, '. Mainly lower positions (−300).'],
    coincidences: [
      { kind: 'ranking_incident', from: '2026-11-01', to: null, title: 'November 2026 core update', link: 'https://status.example/a' },
      { kind: 'note', from: '2026-11-02', to: '2026-11-02', title: 'New <b>theme</b>' },
    ],
  })
  const { html, text } = mailOf([item])
  expect(text).toContain('380 of the 544 lost clicks were on /<img src=x>. Mainly lower positions (−300).')
  expect(text).toContain(
    'Around the same time (may be a coincidence): Google’s November 2026 core update (since 1 Nov 2026); a note: New <b>theme</b> (2 Nov).',
  )
  expect(html).not.toMatch(/<img|<b>theme/)
  expect(mailOf([messageItem()]).text).not.toMatch(/coincidence|Mainly/)
})

test("the days on which an alert opened and ended are those of the reader's time zone", () => {
  const at = '2026-11-12T20:00:00.000Z'
  const textIn = (timeZone: string, item: Parameters<typeof messageItem>[0]) =>
    alertsMail(alertsOf([messageItem({ openedAt: at, ...item })]), { ...aboutMail, timeZone }).text
  expect(textIn('Asia/Tokyo', {})).toContain('Open since 13 November 2026.')
  expect(textIn('America/New_York', {})).toContain('Open since 12 November 2026.')
  const over = { state: 'recovered', ended: { as: 'recovered', at, reason: 'back' } } as const
  expect(textIn('Asia/Tokyo', over)).toContain('this recovered on 13 November 2026.')
})

test('an alert says since when and what was expected, until it is over', () => {
  const known = { firstDay: '2026-11-04', expected: { value: 1_190, low: 1_080.4, high: 1_310.2 } }
  const { text } = mailOf([messageItem(known)])
  expect(text).toContain('Since Wed 4 Nov; expected 1,080–1,310. Alert opened 12 November 2026.')
  const several = mailOf([messageItem(), messageItem(), messageItem(known)])
  expect(several.text).toContain('Since Wed 4 Nov; expected 1,080–1,310.')
  expect(mailOf([messageItem({ ...known, event: 'recovered' })]).text).not.toContain('Wed 4 Nov')
})
