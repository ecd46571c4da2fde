import { expect, test } from 'vitest'
import { passwordAdvice } from './password-advice.ts'

const common = 'This password is easy to guess. Choose another one.'
const short = 'Use at least 10 characters. Short passwords are easy to guess.'
const named = 'This password contains your name, which is easy to guess. Choose another one.'

test.for([
  'password',
  'Password1!',
  'p@ssw0rd2026',
  'PASSWORD123456',
  'iloveyou99',
  'welcome2026!',
  '1234567890',
  '123123123123',
  'aaaaaaaaaaaa',
  'qwertyuiop',
  'qwerty12345',
  'poiuytrewq',
  '1q2w3e4r5t',
  'abcabcabcabc',
  'abcdefghij',
  'ranklark2026',
])('%s is among those tried first', (password) => expect(passwordAdvice(password)).toBe(common))

test.for(['tr4vel', 'seven-ups'])('%s is short', (password) => expect(passwordAdvice(password)).toBe(short))

test('a password with one’s own name in it is easy to guess', () => {
  expect(passwordAdvice('rita.berg-1987', ['rita.berg'])).toBe(named)
  expect(passwordAdvice('hello-RBERG-77', ['rita', 'rberg@example.test'])).toBe(named)
})

test.for(['', 'correct horse battery', 'vK9-mutable-otter', 'a-good-password', 'zwölf Boxkämpfer'])(
  'there is no advice on "%s"',
  (password) => expect(passwordAdvice(password, ['ann', 'ann@example.test'])).toBeNull(),
)
