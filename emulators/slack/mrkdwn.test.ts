import { expect, test } from 'vitest'
import { renderMrkdwn } from './render.ts'
import { shownOf } from './shown.ts'

const html = (text: string): string => renderMrkdwn(text).replace(/^<div class="said">|<\/div>$/g, '')
const shown = (text: string) => shownOf({ text, blocks: [], attachments: [] })

test.each([
  ['*bold* and _italic_ and ~gone~', '<strong>bold</strong> and <em>italic</em> and <s>gone</s>'],
  ['*_both_*', '<strong><em>both</em></strong>'],
  ['snake_case_name, 2*3*4, * alone *', 'snake_case_name, 2*3*4, * alone *'],
  ['`a *b* <c>`', '<code>a *b* &lt;c&gt;</code>'],
  ['```\n1 < 2\n```', '<pre><code>1 &lt; 2\n</code></pre>'],
  ['one\ntwo', 'one<br>two'],
  ['&gt; said', '<q>said</q>'],
  ['a &lt;b&gt; &amp;amp; c', 'a &lt;b&gt; &amp;amp; c'],
  ['**', '**'],
])('%s', (text, expected) => {
  expect(html(text)).toBe(expected)
})

test('links, bare and named, also inside a style', () => {
  const link = (text: string) => `<a href="https://rank.example/?a=1&amp;b=2" target="_blank" rel="noreferrer">${text}</a>`
  expect(html('<https://rank.example/?a=1&amp;b=2>')).toBe(link('https://rank.example/?a=1&amp;b=2'))
  expect(html('*<https://rank.example/?a=1&amp;b=2|The *report* &amp; more>*')).toBe(`<strong>${link('The *report* &amp; more')}</strong>`)
})

test('markup in a page title stays text once it is escaped', () => {
  const title = '&lt;!channel&gt; &lt;https://evil.example|click&gt; &lt;script&gt;alert(1)&lt;/script&gt;'
  expect(shown(title)).toEqual({ text: '<!channel> <https://evil.example|click> <script>alert(1)</script>', links: [], mentions: [] })
  expect(html(title)).not.toContain('<script')
})

test('unescaped text does what Slack would do: it links and notifies people', () => {
  expect(shown('<!channel> <https://evil.example|click> <@U123> <script>')).toEqual({
    text: '@channel click @U123 <script>',
    links: [{ url: 'https://evil.example', text: 'click' }],
    mentions: ['@channel', '@U123'],
  })
  expect(html('<script>alert(1)</script> <javascript:alert(1)|x>')).toBe(
    '&lt;script&gt;alert(1)&lt;/script&gt; &lt;javascript:alert(1)|x&gt;',
  )
})

test('a date shows its fallback, a channel its name', () => {
  expect(shown('<!date^1392734382^{date}|18 February> in <#C024BE7LR|alerts>').text).toBe('18 February in #alerts')
})
