import { expect, test } from 'vitest'
import { maskedAddress, shownNumber } from './shown.ts'

test.each([
  ['+442079460000', '+44 •••• 0000'],
  ['+15005550006', '+1 •••• 0006'],
  ['+79161234567', '+7 •••• 4567'],
  ['+33612345678', '+33 •••• 5678'],
  ['+353851234567', '+353 •••• 4567'],
  ['+8613812345678', '+86 •••• 5678'],
  ['+971501234567', '+971 •••• 4567'],
  ['+2901234', '+290 •••• 1234'],
])('the number %s is shown as %s', (number, shown) => {
  expect(shownNumber(number)).toBe(shown)
})

test.each([
  ['ann@example.com', 'a•••@example.com'],
  ['a@example.com', 'a•••@example.com'],
  ['ärzte@example.com', 'ä•••@example.com'],
  ['ann+seo@mail.example.com', 'a•••@mail.example.com'],
])('the address %s is shown as %s', (address, shown) => {
  expect(maskedAddress(address)).toBe(shown)
})
