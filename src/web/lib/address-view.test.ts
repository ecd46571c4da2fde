import { expect, test } from 'vitest'
import { readView, writeView } from './address-view.ts'

const spec = { days: ['7', '28', '90'], search: 'text' } as const
const read = (address: string) => readView(spec, new URLSearchParams(address))

test('an empty address shows what goes without saying', () => {
  expect(read('')).toEqual({ days: '7', search: '' })
})

test('an address says what is shown, and what makes no sense in it counts as not there', () => {
  expect(read('days=28&search=blue%20lamp')).toEqual({ days: '28', search: 'blue lamp' })
  expect(read('days=9999&search=')).toEqual({ days: '7', search: '' })
})

test('a view is written without what goes without saying, and leaves the rest of the address alone', () => {
  const written = writeView(spec, { days: '7', search: 'a&b' }, new URLSearchParams('days=28&tab=decay'))
  expect(written.toString()).toBe('tab=decay&search=a%26b')
})
