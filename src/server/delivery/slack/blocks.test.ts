import { describe, expect, test } from 'vitest'
import { acrossAnEdge } from '../../../../test/support/message-items.ts'
import { changeText, daysOf, figure } from '../../../core/alerting/copy.ts'
import type { Message, MessageOf, MessageItem } from '../message.ts'
import { alertsOf, anItem, aNamedItem, aSection } from '../../../../test/support/messages.ts'
import { type Block, slackMessage, slackText } from './blocks.ts'

const baseUrl = 'https://ranklark.example'
const blocksOf = (message: Message): Block[] => slackMessage({ message, baseUrl }).blocks ?? []
const textOf = (block: Block | undefined): string =>
  block === undefined ? '' : block.type === 'context' ? block.elements[0].text : block.text.text
const textsOf = (message: Message): string[] => blocksOf(message).map(textOf)
const digest = (...properties: MessageOf<'digest'>['properties']): Message => ({ kind: 'digest', frequency: 'weekly', properties })

describe('the alerts of a property from one evaluation', () => {
  const item = anItem({
    contributors: ['/a', '/b', '/c', '/d', '/e'].map((name) => ({ name, currentValue: 30, previousValue: 120, change: -75 })),
  })

  test('say what changed, by how much, since when, what contributed, and where to read more', () => {
    const [header, section, context, ...others] = textsOf(alertsOf([item]))
    expect(header).toBe('example.com: 1 alert')
    const [before, now] = [figure('clicks', 1204), figure('clicks', 660)]
    const contributed = `${figure('clicks', 120)} → ${figure('clicks', 30)} (${changeText('clicks', -75)})`
    expect(section?.split('\n')).toEqual([
      '🔴 Critical · *Clicks dropped across the site*',
      `*${before} → ${now} (${changeText('clicks', -45.18)})*`,
      'Clicks fell from 1,204 to 660 in the last week.',
      `Top contributors: \`/a\` ${contributed}, \`/b\` ${contributed}, \`/c\` ${contributed} and 2 others`,
      '<https://ranklark.example/alerts/12|View full report> · <https://search.google.com/search-console?resource_id=sc-domain%3Aexample.com|View in GSC>',
    ])
    expect(context).toMatch(/^Since <!date\^1762943040\^\{date_short\} at \{time\}\|12 Nov 2025 10:24 UTC>$/)
    expect(others).toEqual([])
  })

  test('say which rules found it, if there are several, in the words of the report', () => {
    const lines = (rules: string[]) => textsOf(alertsOf([anItem({ rules })]))[1]?.split('\n') ?? []
    expect(lines(['Clicks <fell>', 'Unusual changes'])).toContain('Found by the rules “Clicks &lt;fell&gt;” and “Unusual changes”.')
    expect(lines(['Clicks fell']).some((line) => line.includes('Found by'))).toBe(false)
  })

  test('give the reason and the coincidences, one line each', () => {
    const explained = anItem({
      why: ['380 of the 544 lost clicks were on ', { name: '*/lamp*' }, '.'],
      coincidences: [{ kind: 'holiday', from: '2025-11-03', to: '2025-11-03', title: 'Public holiday in Germany' }],
    })
    const lines = textsOf(alertsOf([explained]))[1]?.split('\n')
    expect(lines?.[3]).toBe('380 of the 544 lost clicks were on `*/lamp*`.')
    expect(lines?.[4]).toBe('Around the same time (may be a coincidence): public holiday in Germany (3 Nov).')
  })

  test.each<[Partial<MessageItem>, string]>([
    [{}, '🔴 Critical · '],
    [{ severity: 'warning' }, '🟠 Warning · '],
    [{ severity: 'info' }, '🔵 Info · '],
    [{ severity: 'positive' }, '🟢 Positive · '],
    [{ event: 'woken' }, '🔴 Critical, snooze ended · '],
    [{ event: 'worsened' }, '🔴 Critical · '],
    [{ event: 'worsened', state: 'snoozed', worse: { before: -12, now: -98 } }, '🔴 Critical, was −12.0%, now −98.0% · '],
    [{ event: 'recovered', ended: { as: 'settled', at: '2026-11-20T06:30:00.000Z', reason: 'new_level' } }, '⚪ Settled · '],
    [{ event: 'recovered', ended: { as: 'revised', at: '2026-11-20T06:30:00.000Z', reason: 'revised' } }, '⚪ Data revised · '],
    [{ event: 'recovered', state: 'recovered' }, '✅ Recovered · '],
  ])('%j starts with a symbol and a word', (changes, sign) => {
    expect(textsOf(alertsOf([anItem(changes)]))[1]?.startsWith(sign)).toBe(true)
  })

  test.each<[Partial<MessageItem>, string]>([
    [{ state: 'acknowledged' }, ' · acknowledged'],
    [{ state: 'recovered' }, ' · now over'],
    [{ state: 'recovered', event: 'recovered' }, 'UTC>'],
  ])('%j: says how it ended', (changes, end) => {
    expect(textsOf(alertsOf([anItem(changes)]))[2]?.endsWith(end)).toBe(true)
  })

  test('a connection problem has no figures, and starts with how to fix it', () => {
    const broken = anItem({
      title: 'Google access was revoked',
      sentence: ['Connect again.'],
      entity: { kind: 'connection', name: 'token_revoked' },
      currentValue: null,
      previousValue: null,
      change: null,
      action: { label: 'Reconnect Google', href: '/account' },
    })
    expect(textsOf(alertsOf([broken]))[1]).toMatch(
      /^🔴 Critical · \*Google access was revoked\*\nConnect again\.\n<https:\/\/ranklark\.example\/account\|Reconnect Google> · </,
    )
  })

  test('new keywords and pages have no previous figure', () => {
    const fresh = anItem({ type: 'position', title: 'New keyword: “lamp”', currentValue: 6.5, previousValue: null, change: null })
    expect(textsOf(alertsOf([fresh]))[1]?.split('\n')[1]).toBe(`*${figure('position', 6.5)}*`)
  })

  test('a rise from zero has no percentage', () => {
    const risen = anItem({ title: 'Clicks spiked: /p', currentValue: 4_000, previousValue: 0, change: null })
    expect(textsOf(alertsOf([risen]))[1]?.split('\n')[1]).toContain('*0 → 4,000*')
    expect(textsOf(digest(aSection('a', [risen]))).join()).toContain('Clicks spiked: /p (from 0)')
  })

  test('an imported property has no Search Console link', () => {
    expect(textsOf(alertsOf([item], 'old figures'))[1]).not.toContain('search.google.com')
  })

  test('a metric that settled at a new level comes with both figures, and is not good news', () => {
    const ended = {
      as: 'settled',
      at: '2026-11-20T06:30:00.000Z',
      reason: 'new_level',
      level: { value: 280, before: 700, days: 7 },
    } as const
    const message = alertsOf([anItem(), anItem({ event: 'recovered', state: 'recovered', ended })])
    const texts = textsOf(message)
    expect(texts[0]).toBe('example.com: 1 alert and 1 ended alert')
    expect(texts.join('\n')).toContain('Now 280 clicks a week, was 700.')
    expect(texts).toContain('*No longer open*')
    expect(texts.join('\n')).not.toMatch(/good news|recover/i)
  })

  test('the notification text is one line', () => {
    const items = [anItem(), anItem({ severity: 'warning' }), anItem({ severity: 'warning' }), anItem({ event: 'recovered' })]
    expect(slackMessage({ message: alertsOf(items), baseUrl }).text).toBe(
      'example.com: 3 alerts and 1 recovery (1 critical, 2 warning, 1 recovered): Clicks dropped across the site',
    )
  })
})

test('the first line names all properties that drop together', () => {
  const fallen = (name: string) => ({ name, items: [anItem({ entity: { kind: 'site', name } })] })
  const message: Message = { kind: 'alerts', properties: [fallen('sc-domain:a.example'), fallen('sc-domain:b.example')], monitored: 2 }
  const [header, first, , second] = textsOf(message)
  expect(header).toBe('Clicks fell on both of your properties, 3–9 Nov')
  expect(first).toMatch(/^\*a\.example\*\n🔴 Critical · /)
  expect(second).toMatch(/^\*b\.example\*\n🔴 Critical · /)
})

describe('a digest', () => {
  test('starts with a sentence about each property, followed by their alerts', () => {
    const [header, first, second, ...others] = textsOf(digest(aSection('sc-domain:a.example', [anItem()]), aSection('https://b.example/')))
    expect(header).toBe('Weekly digest: 2 properties')
    const { standing } = aSection('')
    const figures = `Impressions ${figure('impressions', 20_500)} (${changeText('clicks', 2.5)}) · CTR ${figure('ctr', 0.0322)} (${changeText('clicks', -46.5)}) · Position ${figure('position', 8.25)}`
    const clicks = '660 clicks, down 45.2% from 1,204 the week before'
    expect(first?.split('\n')).toEqual([
      `${daysOf(standing.current)} vs ${daysOf(standing.previous)}.`,
      `*a.example*: ${clicks}; 1 open alert.`,
      figures,
      `*https://b.example/*: ${clicks}; no open alerts.`,
      figures,
    ])
    expect(second?.split('\n')).toEqual([
      '*a.example*',
      `• 🔴 Critical · Clicks dropped across the site (${changeText('clicks', -45.18)}) · <https://ranklark.example/alerts/12|Report>`,
    ])
    expect(others).toEqual(['<https://ranklark.example/alerts|See all alerts>'])
  })

  test('a change that hours show to be much larger is given once, without that of the days before', () => {
    const item = anItem({
      event: 'worsened',
      change: -12,
      worse: { before: -12, now: -90.4, soFar: 'so far on 18 Mar (through 14:00 Pacific)' },
    })
    const begin = '🔴 Critical, was −12.0%, now −90.4% so far on 18 Mar (through 14:00 Pacific) · '
    const line = textsOf(digest(aSection('sc-domain:a.example', [item]))).find((text) => text.includes(begin))
    expect(line).toContain(`${begin}Clicks dropped across the site · `)
    const section = textsOf(alertsOf([item]))[1]?.split('\n')
    expect(section?.slice(0, 2)).toEqual([
      `${begin}*Clicks dropped across the site*`,
      `*${figure('clicks', 1204)} → ${figure('clicks', 660)}*`,
    ])
    const ofDays = anItem({ event: 'worsened', change: -12, worse: { before: -12, now: -98 } })
    expect(textsOf(digest(aSection('sc-domain:a.example', [ofDays]))).join('\n')).toContain('Clicks dropped across the site (−98.0%) · ')
  })

  test('a change in position is in places, with a word for the direction', () => {
    const about = aSection('sc-domain:a.example', [
      anItem({ type: 'position', title: 'Position dropped: “lamp”', entity: { kind: 'query', name: 'lamp' }, change: 4.29 }),
    ])
    const moved = { ...about, standing: { ...about.standing, position: { value: 8.4, previous: 7.2, change: 16.7 } } }
    const [, figures, alerts] = textsOf(digest(moved))
    expect(figures).toMatch(/ · Position 8\.4 \(1\.2 worse\)$/)
    expect(alerts).toContain('Position dropped: “lamp” (4.3 worse) · ')
    expect(alerts).not.toContain('%')
  })

  test('figures that Google counted differently in the two weeks have no change, and it says why', () => {
    const [, first] = textsOf(digest({ ...aSection('sc-domain:a.example'), standing: acrossAnEdge }))
    expect(first?.split('\n')).toEqual([
      'Nothing unusual happened on your property.',
      '28 Apr–4 May vs 21–27 Apr.',
      "Impressions, CTR and position can't be compared: Google counted differently on some of these days.",
      '*a.example*: 1,234 clicks, up 3.3% from 1,195 the week before; no open alerts.',
      'Impressions 45,678 (not comparable) · CTR 2.70% (not comparable) · Position 8.4 (not comparable)',
    ])
  })

  test('each alert comes with its main cause, if it is known', () => {
    const why = ['380 of the 412 lost clicks were on ', { name: '/lamps/' }, '.']
    const [, , alerts] = textsOf(digest(aSection('a', [anItem({ why }), anItem(), anItem({ why, event: 'recovered' })])))
    expect(alerts?.split('\n')[1]).toBe('380 of the 412 lost clicks were on `/lamps/`.')
    expect(alerts?.match(/380 of/g)).toHaveLength(1)
  })

  test('without alerts says so first', () => {
    expect(textsOf(digest(aSection('a'), aSection('b')))[1]).toMatch(/^Nothing unusual happened on your 2 properties\.\n/)
  })

  test('without new alerts says how many are still open', () => {
    const message = digest({ ...aSection('a'), open: 2 })
    expect(textsOf(message)[1]).toMatch(/^No new alerts on your property, 2 still open\.\n/)
    expect(slackMessage({ message, baseUrl }).text).toBe('Weekly digest: a (no new alerts, 2 still open)')
  })

  test('lists good news separately', () => {
    const message = digest(aSection('a', [anItem(), anItem({ severity: 'positive', title: 'Clicks spiked' })]), aSection('b'))
    const texts = textsOf(message)
    expect(texts[2]).not.toContain('spiked')
    expect(texts[3]).toMatch(/^\*Good news\*\n• 🟢 Positive · Clicks spiked/)
  })

  test('names no previous days without a comparison', () => {
    const { standing, ...others } = aSection('sc-domain:a.example')
    const alone = (value: number) => ({ value, previous: null, change: null })
    const bare = { ...standing, clicks: alone(700), impressions: alone(7_000), ctr: alone(0.1), position: alone(4) }
    const [, section] = textsOf(digest({ ...others, standing: bare }))
    expect(section?.split('\n').slice(1)).toEqual([
      `${daysOf(standing.current)}.`,
      '*a.example*: 700 clicks; no open alerts.',
      'Impressions 7,000 · CTR 10.00% · Position 4.0',
    ])
  })

  test('for one property is named after it, and says if there are no complete days', () => {
    const message = digest({ ...aSection('sc-domain:a.example'), standing: null })
    expect(textsOf(message)).toEqual([
      'Weekly digest: a.example',
      'Nothing unusual happened on your property.\n*a.example*: no complete days yet; no open alerts.',
    ])
  })

  test('shows no unknown position, and compares nothing with it', () => {
    const about = aSection('sc-domain:a.example')
    const unknown = { ...about, standing: { ...about.standing, position: { value: 0, previous: 8.2, change: null } } }
    expect(textsOf(digest(unknown))[1]).toMatch(/ · Position –$/)
  })

  test('lists five alerts per property and counts the others', () => {
    const [, , section] = textsOf(
      digest(
        aSection(
          'sc-domain:a.example',
          Array.from({ length: 12 }, () => anItem()),
        ),
      ),
    )
    expect(section?.split('\n').filter((line) => line.startsWith('• '))).toHaveLength(5)
    expect(section).toMatch(/\nand 7 more$/)
  })
})

describe("within Slack's limits", () => {
  const long = (text: string) => text.repeat(2048 / text.length)
  const explanation: Partial<MessageItem> = {
    contributors: contributors(long('&')),
    why: ['Lost on ', { name: long('<&>') }, '.'],
    coincidences: Array.from({ length: 9 }, () => ({ kind: 'note', from: '2025-11-03', to: '2025-11-03', title: long('&') })),
  }
  const wild = [
    ['many', Array.from({ length: 300 }, (_, index) => aNamedItem('page', `https://example.com/${index}`))],
    ['long', Array.from({ length: 20 }, () => aNamedItem('query', long('lamp ')))],
    ['escaped', Array.from({ length: 20 }, () => aNamedItem('query', long('<&>'), { contributors: contributors(long('&')) }))],
    ['explained', Array.from({ length: 20 }, () => aNamedItem('query', long('<&>'), explanation))],
    ['of other scripts', Array.from({ length: 60 }, () => aNamedItem('query', long('שלום'), { contributors: contributors(long('💡')) }))],
  ] as const
  function contributors(name: string) {
    return Array.from({ length: 10 }, () => ({ name, currentValue: 1, previousValue: 2, change: -50 }))
  }

  test.each(wild)('alerts: %s', (_what, items) => {
    expectWithin(alertsOf([...items], `sc-domain:${long('a')}`), items.length)
  })

  test.each(wild)('a digest of 25 properties: %s', (_what, items) => {
    expectWithin(digest(...Array.from({ length: 25 }, () => aSection(`sc-domain:${long('&')}`, [...items]))))
  })

  function expectWithin(message: Message, alerts?: number) {
    const blocks = blocksOf(message)
    expect(blocks.length).toBeLessThanOrEqual(50)
    for (const block of blocks) expect(textOf(block).length).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3000)
    expect(JSON.stringify(slackMessage({ message, baseUrl })).length).toBeLessThanOrEqual(13_000)
    expect(slackText({ message, baseUrl }).text.length).toBeLessThanOrEqual(4000)
    if (alerts === undefined) return
    // Every alert is shown or counted.
    const listed = blocks.filter(({ type }) => type === 'context').length
    const left = /^and ([\d,]+) more alerts? · <https:\/\/ranklark\.example\/alerts\|See all alerts>$/.exec(textOf(blocks.at(-1)))?.[1]
    expect(listed).toBeGreaterThan(3)
    expect(listed + Number((left ?? '0').replace(',', ''))).toBe(alerts)
  }

  test('everything that fits is listed', () => {
    const blocks = blocksOf(alertsOf(Array.from({ length: 10 }, () => anItem())))
    expect(blocks.filter(({ type }) => type === 'context')).toHaveLength(10)
    expect(textsOf(alertsOf(Array.from({ length: 10 }, () => anItem()))).join()).not.toContain('more alert')
  })

  test("properties that don't fit are counted, with their alerts", () => {
    const sections = Array.from({ length: 25 }, (_, index) =>
      aSection(
        `sc-domain:${index}.example`,
        Array.from({ length: 9 }, () => anItem()),
      ),
    )
    const texts = textsOf(digest(...sections))
    // All of them have their sentence, and each shown one its alerts.
    expect(texts.join('\n').match(/ clicks, down /g)).toHaveLength(25)
    const shown = texts.filter((text) => text.startsWith('*') && text.includes('\n• ')).length
    expect(shown).toBeLessThan(25)
    expect(texts.at(-1)).toContain(`and ${(25 - shown) * 9} more alerts`)
  })
})

test('the fallback without blocks says the same in lines', () => {
  const { text } = slackText({ message: alertsOf(Array.from({ length: 50 }, () => anItem())), baseUrl })
  const lines = text.split('\n')
  expect(lines[0]).toBe('*example.com: 50 alerts*')
  expect(lines[1]).toContain(`🔴 Critical · Clicks dropped across the site (${changeText('clicks', -45.18)})`)
  const listed = lines.filter((line) => line.startsWith('• ')).length
  expect(lines.at(-2)).toBe(`and ${50 - listed} more`)
  expect(lines.at(-1)).toBe('<https://ranklark.example/alerts|See all alerts>')
})

test('a test message says what it is about', () => {
  expect(textsOf({ kind: 'test', property: 'sc-domain:a.example' })[0]).toContain('Alerts for a.example will arrive here.')
  expect(textsOf({ kind: 'test', property: null })[0]).toContain('Alerts will arrive here.')
})

test('figures come after a right-to-left name', () => {
  const item = aNamedItem('query', 'מנורה 12')
  const [, , section] = textsOf(digest(aSection('sc-domain:a.example', [item])))
  expect(section).toContain(`\u2068Clicks dropped: “מנורה 12”\u2069 (${changeText('clicks', -45.18)})`)
  expect(textsOf(alertsOf([item]))[1]).toContain('`\u2068מנורה 12\u2069` fell')
})

test('an alert says since when and what was expected, if it is known', () => {
  const known = { firstDay: '2026-11-04', expected: { value: 1_190, low: 1_080.4, high: 1_310.2 } }
  const words = ' since Wed 4 Nov; expected 1,080–1,310'
  expect(JSON.stringify(blocksOf(alertsOf([anItem(known)])))).toContain(words)
  expect(JSON.stringify(blocksOf(alertsOf([anItem({ ...known, event: 'recovered' })])))).not.toContain(words)
})
