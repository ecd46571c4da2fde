import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createUnsubscribeTokens } from './unsubscribe-token.ts'

const tokens = createUnsubscribeTokens(randomBytes(32))
const ann = { userId: 'u-1', address: 'ann+alerts@people.example' }

describe('the token in an unsubscribe link', () => {
  test.each([ann, { userId: '', address: 'jörg@bücher.example' }])('contains the account and the address: %j', (subscription) => {
    expect(tokens.read(tokens.make(subscription))).toEqual(subscription)
  })

  test('needs no escaping in a URL', () => {
    expect(tokens.make({ userId: '?>&/ÿ~', address: '🐦@x.example' })).toMatch(/^[\w.-]+$/)
  })

  test('is invalid with any character changed, removed or added', () => {
    const token = tokens.make(ann)
    for (let at = 0; at < token.length; at += 1) {
      expect(tokens.read(`${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`)).toBeNull()
      expect(tokens.read(token.slice(0, at) + token.slice(at + 1))).toBeNull()
    }
    for (const more of ['A', '=', '.', '.x', '\n']) expect(tokens.read(token + more)).toBeNull()
  })

  test("is invalid with another token's payload, or if it was signed elsewhere", () => {
    const [, signature = ''] = tokens.make(ann).split('.')
    const [payload = ''] = tokens.make({ ...ann, userId: 'u-2' }).split('.')
    expect(tokens.read(`${payload}.${signature}`)).toBeNull()
    expect(createUnsubscribeTokens(randomBytes(32)).read(tokens.make(ann))).toBeNull()
  })

  test.each(['', '.', '..', 'x', 'é.é', `${'A'.repeat(2000)}.${'A'.repeat(43)}`])("%j isn't valid", (text) => {
    expect(tokens.read(text)).toBeNull()
  })
})
