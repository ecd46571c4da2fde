import { describe, expect, test } from 'vitest'
import { changeText } from '../../../core/alerting/copy.ts'
import type { Message } from '../message.ts'
import { alertsOf, anItem, aNamedItem, aSection } from '../../../../test/support/messages.ts'
import { plainSigns, segmentsOf } from './segments.ts'
import { smsText } from './sms-text.ts'

const baseUrl = 'https://ranklark.example'
const textOf = (message: Message, base = baseUrl): string => {
  const text = smsText(message, base)
  if (text === null) throw new Error('There is nothing to tell')
  return text
}
const fell = plainSigns(changeText('clicks', -45.18))
const links = (text: string) => text.match(/\b(?:https?:\/\/|www\.)\S+|\b[\w-]+\.[a-z]{2,}\b\S*/gi)

test('one critical alert: what changed, by how much, where, and a link', () => {
  const text = textOf(alertsOf([anItem(), anItem({ severity: 'warning', alertId: '13' })]))
  expect(text).toBe(`Ranklark: critical alert on example .com: Clicks dropped across the site (${fell}) https://ranklark.example/alerts/12`)
  expect(segmentsOf(text)).toBe(1)
})

test.each([
  [4.29, 'Position dropped', '4.3 worse'],
  [-4, 'Position improved', '4.0 better'],
])('a change in position of %d is in places, with a word for the direction', (change, title, words) => {
  const item = aNamedItem('query', 'lamp', { type: 'position', title: `${title}: lamp`, change })
  expect(textOf(alertsOf([item]))).toContain(`: ${title}: lamp (${words}) https://`)
})

test('which rules found it is said where that takes no further part', () => {
  const short = anItem({ title: 'Clicks fell', change: null, rules: ['Clicks', 'Unusual'] })
  const text = textOf(alertsOf([short]))
  expect(text).toBe(
    'Ranklark: critical alert on example .com: Clicks fell. Found by the rules "Clicks" and "Unusual". https://ranklark.example/alerts/12',
  )
  expect(segmentsOf(text)).toBe(1)
  // Here there is no room.
  expect(textOf(alertsOf([anItem({ rules: ['Clicks of the top pages', 'Unusual clicks'] })]))).toBe(textOf(alertsOf([anItem()])))
  expect(links(textOf(alertsOf([{ ...short, rules: ['evil.example/a', 'B'] }])))).toEqual(['https://ranklark.example/alerts/12'])
})

test('several alerts are counted, and as many listed as fit in one text message', () => {
  const page = aNamedItem('page', 'https://example.com/a', { alertId: '14' })
  expect(textOf(alertsOf([anItem(), page, anItem(), anItem()]))).toBe(
    `Ranklark: 4 critical alerts on example .com: Clicks dropped across the site (${fell}); Clicks dropped: /a (${fell}) and 2 more https://ranklark.example/alerts/12`,
  )
  const long = anItem({ title: 'Clicks dropped across the site and all of its pages' })
  expect(textOf(alertsOf([long, long]))).toContain(`pages (${fell}) and 1 more https://`)
})

test('an alert that became far worse says from what to what, though it was acknowledged before', () => {
  const worse = anItem({ event: 'worsened', state: 'acknowledged', worse: { before: -12, now: -98, soFar: 'so far on 18 Mar' } })
  expect(textOf(alertsOf([worse]))).toContain('Clicks dropped across the site (was -12.0%, now -98.0%) https://')
})

test("alerts whose snooze ended are included, recovered ones aren't", () => {
  expect(textOf(alertsOf([anItem({ event: 'recovered', alertId: '11' }), anItem({ event: 'woken' })]))).toContain('critical alert on')
  expect(smsText(alertsOf([anItem({ event: 'recovered' })]), baseUrl)).toBeNull()
  // Over or handled by the time of a digest.
  for (const state of ['recovered', 'acknowledged', 'snoozed'] as const) expect(smsText(alertsOf([anItem({ state })]), baseUrl)).toBeNull()
})

test.each(['warning', 'info', 'positive'] as const)("%s alerts aren't included", (severity) => {
  expect(smsText(alertsOf([anItem({ severity })]), baseUrl)).toBeNull()
})

test('a digest has the critical alerts of all properties', () => {
  const digest = (...names: string[]): Message => ({
    kind: 'digest',
    frequency: 'daily',
    properties: names.map((name) => aSection(name, [anItem(), anItem({ severity: 'warning' })])),
  })
  expect(textOf(digest('sc-domain:a.example', 'sc-domain:b.example'))).toBe(
    `Ranklark: Clicks fell on both of your properties, 3-9 Nov: a .example: Clicks dropped across the site (${fell}) and 1 more https://ranklark.example/alerts`,
  )
  expect(textOf(digest('sc-domain:a.example'))).toContain('critical alert on a .example: ')
  expect(smsText({ kind: 'digest', frequency: 'daily', properties: [aSection('a')] }, baseUrl)).toBeNull()
})

test('a test message is one line', () => {
  const text = textOf({ kind: 'test', property: 'sc-domain:example.com' })
  expect(segmentsOf(text)).toBe(1)
  expect(text).not.toContain('\n')
})

describe('at most two parts, with the complete link', () => {
  test.each([
    ['long names', aNamedItem('page', `https://example.com/${'lamps-and-looms/'.repeat(100)}`)],
    ['long names of another script', aNamedItem('query', 'מנורה לילה '.repeat(100))],
    ['emoji', aNamedItem('query', '💡'.repeat(500))],
    ['characters of two septets', aNamedItem('query', '{€}'.repeat(500))],
    ['a long title', anItem({ title: 'Something went wrong '.repeat(50), entity: { kind: 'connection', name: 'x' } })],
  ])('%s', (_what, item) => {
    for (const property of ['sc-domain:example.com', `https://${'a'.repeat(60)}.example/${'b'.repeat(1900)}`, 'מנורה '.repeat(300)]) {
      for (const base of [baseUrl, `https://${'search-alerts.'.repeat(8)}example`, `http://localhost:3000/${'p'.repeat(290)}`]) {
        const text = textOf(alertsOf([item, item], property), base)
        expect(text.endsWith(`${base}/alerts/12`)).toBe(true)
        expect(segmentsOf(text)).toBeLessThanOrEqual(base.length > 280 ? 3 : 2)
      }
    }
  })

  test('a long name is cut before the change and its size', () => {
    const text = textOf(alertsOf([aNamedItem('page', `https://example.com/${'lamps-and-looms/'.repeat(100)}`)]))
    expect(text).toMatch(/: Clicks dropped: \/lamps-and-looms\/\S*\.\.\. \(/)
    expect(text).toContain(fell)
    expect(segmentsOf(text)).toBe(1)
  })
})

describe('the link to the report is the only one', () => {
  test.each([
    'evil.example/win',
    'https://evil.example/win',
    'www.evil.example',
    'mailto:me@evil.example',
    'https://https://evil.example',
    'EVIL.COM',
    'http\u200B://evil\u2060.example',
  ])('a query %s', (name) => {
    const text = textOf(alertsOf([aNamedItem('query', name)]))
    expect(links(text)).toEqual(['https://ranklark.example/alerts/12'])
    expect(text).toMatch(/evil/i)
  })

  test.each(['sc-domain:example.com', 'https://www.example.co.uk/', 'https://shop.example.com:8443/x'])('a property %s', (property) => {
    const text = textOf(alertsOf([anItem()], property))
    expect(links(text)).toEqual(['https://ranklark.example/alerts/12'])
    expect(text).toContain('example .co')
  })

  test('a page is shown by its path', () => {
    expect(textOf(alertsOf([aNamedItem('page', 'https://example.com/a/b.html')]))).toContain('Clicks dropped: /a/b .html (')
  })
})
