import { expect, test } from 'vitest'
import { webAddress } from './web-address.ts'

test('pages of the web can be opened', () => {
  expect(webAddress('https://site.example/a?b=c#d')).toBe('https://site.example/a?b=c#d')
  expect(webAddress('http://site.example')).toBe('http://site.example/')
})

test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'lamp', '//x', ''])(
  '%j cannot',
  (text) => {
    expect(webAddress(text)).toBeNull()
  },
)
