import { describe, expect, test } from 'vitest'
import { aboutMail, alertsOf, connectionItem, messageItem, section } from '../../../../test/support/message-items.ts'
import type { Composed } from '../../mail/render.ts'
import type { Message } from '../message.ts'
import { composeMail } from './compose-mail.ts'
import { cutMiddle } from './cut-middle.ts'

const compose = (message: Message, username = 'ann'): Composed => composeMail(message, { ...aboutMail, username })

const long = (piece: string) => piece.repeat(Math.ceil(2000 / piece.length)).slice(0, 2000)
const hostile: [what: string, name: string][] = [
  ['markup', '</code></a><script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['a style sheet', '</style><style>*{display:none}'],
  ['attributes', `" onmouseover="alert(1)" x='`],
  ['lines', 'x\r\nBcc: eve@people.example\r\n\r\n<p>'],
  ['a line by itself', 'a\u2028b\u2029c\u0085d\ve'],
  ['a change of direction', '\u202Egnp.exe\u202C \u2066x \u200Fy'],
  ['a NUL', 'a\0b'],
  ['half a character', 'a\uD83D b\uDE00'],
  ['length', long('lamp ')],
  ['length without a space', long('x')],
  ['text that grows when it is escaped', long(`"'<&`)],
  ['many emoji', long('👩‍👩‍👧')],
  ['many accents', `a${long('\u0301')}`],
  ['replacement patterns', "$& $1 $' $`"],
]

/** User-supplied text wherever there can be any. */
function messagesWith(name: string): Message[] {
  const contributors = Array.from({ length: 5 }, () => ({ name, previousValue: 10, currentValue: 5, change: -50 }))
  const items = [
    messageItem({ about: { entity: { kind: 'query', name } }, contributors }),
    messageItem({ about: { entity: { kind: 'page', name } }, event: 'recovered' }),
    connectionItem({ sentence: [`Google access expired or was revoked, so ${name} is not being updated.`] }),
  ]
  return [
    alertsOf(items.slice(0, 1), name),
    alertsOf(items, name),
    alertsOf(
      Array.from({ length: 40 }, () => items[0] ?? connectionItem()),
      name,
    ),
    { kind: 'digest', frequency: 'daily', properties: [section(name, { items, open: 3 })] },
    { kind: 'test', property: name },
  ]
}

describe.each(hostile)('%s in a name', (_what, name) => {
  const mails = messagesWith(name).map((message) => compose(message, name))

  test('adds nothing to the headers', () => {
    for (const { subject } of mails) {
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\u200E\u200F]/u)
      expect([...subject].length).toBeLessThanOrEqual(120)
      expect(subject.isWellFormed()).toBe(true)
    }
  })

  test('is text, and everything around it stays in place', () => {
    for (const { html, text } of mails) {
      const plain = compose({ kind: 'test', property: 'x' }).html
      expect(html).not.toMatch(/<(?:script|img|iframe|p>)|onmouseover="|\son\w+="/)
      expect(html.match(/<style>/g)).toHaveLength(1)
      expect(html.match(/<\/body>/g)).toEqual(plain.match(/<\/body>/g))
      // The library's own filler after the preview keeps the rest of the email out of it.
      const mine = html.replace(/<div>[^<\w]+<\/div>/, '') + text
      expect(mine).not.toMatch(/[\0\v\u0085\u2028\u2029\u202A-\u202E\u2066-\u2069\u200E\u200F]/u)
      expect(mine).not.toMatch(/\p{M}{5}/u)
      expect((html + text).isWellFormed()).toBe(true)
      expect(text).not.toMatch(/^Bcc:/m)
      expect(text).toContain("Don't want these emails? Unsubscribe (https://rank.example/unsubscribe?token=a.b)")
    }
  })

  test('never makes an email so long that Gmail clips it', () => {
    for (const { html } of mails) expect(Buffer.byteLength(html)).toBeLessThan(102_000)
  })
})

test('an ordinary name is shown in full', () => {
  const name = 'https://example.com/a?b=<c>&d="e"'
  const { html, text } = compose(alertsOf([messageItem({ about: { entity: { kind: 'page', name } } })]))
  expect(text).toContain(`Clicks for ${name} fell`)
  expect(html).toContain('https://example.com/a?b=&lt;c&gt;&amp;d=&quot;e&quot;</code>')
})

describe('a name that is too long', () => {
  test('is cut in the middle, since its end sets it apart', () => {
    expect(cutMiddle(`https://example.com/${'x'.repeat(200)}/lamps.html`, 48)).toBe(`https://example.com/xxxxxxxxxxxx…xxxx/lamps.html`)
    expect(cutMiddle('short', 5)).toBe('short')
    expect([...cutMiddle('👍'.repeat(50), 20)]).toHaveLength(20)
  })

  test('is cut in the title, and nothing else in it is', () => {
    const name = `https://example.com/${'x'.repeat(2000)}/lamps.html`
    const { subject } = compose(alertsOf([messageItem({ about: { entity: { kind: 'page', name } } })]))
    expect(subject).toMatch(/^Clicks dropped 45\.2%: \/x+…x+\/lamps\.html · example\.com$/)
  })
})

describe('Gmail never clips an email, however much it has to say', () => {
  const contributors = Array.from({ length: 5 }, (_, at) => ({
    name: `https://shop.example/collections/living-room/lamps?page=${at}`,
    previousValue: 12_345,
    currentValue: 6789,
    change: -45,
  }))
  const series = Array.from({ length: 28 }, (_, day) => 1000 + day)
  const item = (at: number) =>
    messageItem({
      alertId: String(at),
      series,
      contributors,
      about: { entity: { kind: 'page', name: `https://shop.example/products/lamp-${at}` } },
    })

  test('60 properties with four alerts each, all of which appear with their figures', () => {
    const properties = Array.from({ length: 60 }, (_, at) =>
      section(`https://${'shop-number'.repeat(3)}-${at}.example/`, { items: [0, 1, 2, 3].map((n) => item(at * 4 + n)), open: 12 }),
    )
    const { html, text } = compose({ kind: 'digest', frequency: 'weekly', properties })
    expect(Buffer.byteLength(html)).toBeLessThan(102_000)
    expect(text.match(/: 1,234 clicks, up /g)).toHaveLength(60)
    for (const at of properties.keys()) expect(text).toContain(`-${at}.example/: `)
  })
})
