import { expect, test } from 'vitest'
import { z } from 'zod'
import { deriveKey } from './secrets.ts'
import { createSignedTokens } from './signed-token.ts'

const claim = z.object({ userId: z.string(), address: z.string() })
const value = { userId: 'Ünï', address: 'a+b@example.com' }
const keyFor = (purpose: string) => deriveKey('k'.repeat(40), purpose)
const tokens = createSignedTokens([keyFor('one purpose')], claim)

test('a token yields its content, in characters that need no escaping', () => {
  const token = tokens.make(value)
  expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/)
  expect(tokens.read(token)).toEqual(value)
})

test('a token not created by us is rejected', () => {
  const token = tokens.make(value)
  const [payload = '', signature = ''] = token.split('.')
  const forged = Buffer.from(JSON.stringify({ ...value, userId: 'another' })).toString('base64url')
  const changed = token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A')
  const others = [
    '',
    '.',
    'x',
    payload,
    `${payload}.`,
    `.${signature}`,
    `${forged}.${signature}`,
    `${token}.${signature}`,
    `${token}A`,
    changed,
  ]
  expect(others.filter((other) => tokens.read(other) !== null)).toEqual([])
})

test('a token for another purpose is rejected', () => {
  expect(createSignedTokens([keyFor('another purpose')], claim).read(tokens.make(value))).toBeNull()
})
