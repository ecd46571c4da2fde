import { describe, expect, test } from 'vitest'
import { parseMarkup } from './alert-markup.ts'

const element = (tag: string, children: unknown[], href: string | null = null) => ({ tag, href, children })

describe('from the markup in a description (OPEN-POINTS 13)', () => {
  test('the allow-list survives, nested as written', () => {
    expect(parseMarkup('Clicks for <code>/a?b=1&amp;c=2</code> <B>fell <em>much</em></B>.')).toEqual([
      'Clicks for ',
      element('code', ['/a?b=1&c=2']),
      ' ',
      element('b', ['fell ', element('em', ['much'])]),
      '.',
    ])
    expect(parseMarkup('<strong>x</strong><i>y</i>')).toEqual([element('strong', ['x']), element('i', ['y'])])
  })

  test('a link survives if it leads to the web, with nothing but its URL', () => {
    expect(parseMarkup('<a onclick="x()" href="https://a.example/?b&amp;c">report</a>')).toEqual([
      element('a', ['report'], 'https://a.example/?b&c'),
    ])
    for (const link of ['<a href="javascript:alert(1)">', "<a href='/local'>", '<a name=x>', '<a href="httpx">', '<a>'])
      expect(parseMarkup(`${link}x</a>`).join('')).toBe(`${link}x</a>`)
  })

  test('all else is text', () => {
    for (const text of ['<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '<body>', '<bold>', '</b>', '1 < 2 > 0', '&nbsp;'])
      expect(parseMarkup(text).join('')).toBe(text)
  })

  test("escaped text stays text, and isn't unescaped twice", () => {
    expect(parseMarkup('&lt;b&gt;odd&lt;/b&gt; &quot;&#39; &amp;lt;')).toEqual([`<b>odd</b> "' &lt;`])
    expect(parseMarkup('')).toEqual([])
  })

  test('attributes are dropped, and an unclosed element ends with the text', () => {
    expect(parseMarkup('<b style="x" onclick=y>a <i>b</b>')).toEqual([element('b', ['a ', element('i', ['b', '</b>'])])])
  })
})
