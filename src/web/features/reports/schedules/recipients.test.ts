import { expect, test } from 'vitest'
import { addRecipients } from './recipients.ts'

test('one address, or several at once, each only once', () => {
  expect(addRecipients('ada@example.test', [], 5)).toEqual({ recipients: ['ada@example.test'] })
  expect(addRecipients(' ada@example.test, bob@example.test;eve@example.test\nADA@example.test', ['bob@example.test'], 5)).toEqual({
    recipients: ['bob@example.test', 'ada@example.test', 'eve@example.test'],
  })
})

test('an invalid address is reported, and which one it is among several', () => {
  expect(addRecipients('ada', [], 5)).toEqual({ problem: 'Please enter a valid email address' })
  expect(addRecipients('  ', [], 5)).toEqual({ problem: 'Please enter a valid email address' })
  expect(addRecipients('ada@example.test bob@', [], 5)).toEqual({ problem: "“bob@” isn't a valid email address" })
})

test('no more than the plan allows', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.test`)
  expect(addRecipients('f@example.test', five, 5)).toEqual({ problem: 'Your plan allows up to 5 recipients per report' })
  expect(addRecipients('a@example.test', five, 5)).toEqual({ recipients: five })
})
