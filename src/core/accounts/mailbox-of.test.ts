import { expect, test } from 'vitest'
import { mailboxOf } from './mailbox-of.ts'

test.each([
  ['ann@example.com', 'ann@example.com'],
  [' Ann@Example.COM ', 'ann@example.com'],
  ['ann+news@example.com', 'ann@example.com'],
  ['ann+a+b@example.com', 'ann@example.com'],
  ['a.n.n+news@gmail.com', 'ann@gmail.com'],
  ['A.nn@GoogleMail.com', 'ann@gmail.com'],
  // Elsewhere dots are part of the name.
  ['ann.smith@example.com', 'ann.smith@example.com'],
  // A name that only begins with a plus has nothing before it.
  ['+ann@example.com', '+ann@example.com'],
  // What isn't an address stands for itself: phone numbers are counted too.
  ['+15005550006', '+15005550006'],
  ['ann', 'ann'],
])('%j reaches the mailbox %j', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})
