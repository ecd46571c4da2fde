import { expect, test } from 'vitest'
import { z } from 'zod'
import { deriveKey } from './secrets.ts'
import { createSignedTokens } from './signed-token.ts'

const claim = z.object({ userId: z.string(), address: z.string() })
const value = { userId: 'Ünï', address: 'a+b@example.com' }
const keyFor = (purpose: string) => deriveKey('k'.repeat(40), purpose)
const tokens = createSignedTokens([keyFor('one purpose')], claim)

test('what was made comes back, in letters that need no escaping', () => {
  const token = tokens.make(value)
  expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/)
  expect(tokens.read(token)).toEqual(value)
})

test('what we did not make is not read', () => {
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

test('a token of another purpose is none', () => {
  expect(createSignedTokens([keyFor('another purpose')], claim).read(tokens.make(value))).toBeNull()
})
