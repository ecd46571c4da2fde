import { expect, test } from 'vitest'
import { readView, writeView } from './address-view.ts'

const spec = { days: ['7', '28', '90'], search: 'text' } as const
const read = (address: string) => readView(spec, new URLSearchParams(address))

test('an empty URL shows the defaults', () => {
  expect(read('')).toEqual({ days: '7', search: '' })
})

test('a URL says what is shown, and invalid parts are ignored', () => {
  expect(read('days=28&search=blue%20lamp')).toEqual({ days: '28', search: 'blue lamp' })
  expect(read('days=9999&search=')).toEqual({ days: '7', search: '' })
})

test('a view is written without the defaults, and leaves the rest of the URL unchanged', () => {
  const written = writeView(spec, { days: '7', search: 'a&b' }, new URLSearchParams('days=28&tab=decay'))
  expect(written.toString()).toBe('tab=decay&search=a%26b')
})
