import { expect, test } from 'vitest'
import { cut, isolated, propertyName, visible } from './names.ts'

test.each([
  ['lines become one', 'two\nlines\r\n\tand  blanks ', 'two lines and blanks'],
  ['nothing changes the direction', 'price\u202Egnp.exe \u2066x\u2069\u200F\u061C', 'pricegnp.exe x'],
  ['nothing invisible is left', 'ex\u200Bam\u2060ple\uFEFF\u00AD\u3164', 'example'],
  ['joiners between ASCII letters', 'pay\u200Dpal\u200C', 'paypal'],
  ['half a character is replaced', 'a\uD800b', 'a\uFFFDb'],
])('%s', (_what, text, seen) => expect(visible(text)).toBe(seen))

test.each(['می\u200Cخواهم', '👩\u200D💻 jobs', '❤️ lamps', 'שלום 12', '日本語'])('characters that scripts need stay: %s', (name) => {
  expect(visible(name)).toBe(name)
})

test('a long name is cut between characters', () => {
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcd ef', 6)).toBe('abcd…')
  expect(cut('💡💡💡', 2)).toBe('💡…')
})

test("a property's display name", () => {
  expect(['sc-domain:example.com', 'https://example.com/', 'My\nfile'].map(propertyName)).toEqual([
    'example.com',
    'https://example.com/',
    'My file',
  ])
})

test('right-to-left names are isolated from the figures after them', () => {
  expect(isolated('מנורה 12')).toBe('\u2068מנורה 12\u2069')
  expect(isolated('lamp 12')).toBe('lamp 12')
})
