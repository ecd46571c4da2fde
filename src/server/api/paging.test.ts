import { expect, test } from 'vitest'
import { partOf } from './paging.ts'

const rows = [1, 2, 3, 4]
const partAfter = (after: number | null, limit: number) =>
  partOf(
    rows,
    { limit, after, next: String },
    (row) => row,
    (row, last) => row > last,
  )

test('a page starts after the previous one, and says where the next one starts', () => {
  expect(partAfter(null, 3)).toEqual({ data: [1, 2, 3], next: '3' })
  expect(partAfter(1, 2)).toEqual({ data: [2, 3], next: '3' })
})

test('a page that ends with the list has none after it', () => {
  expect(partAfter(null, 4)).toEqual({ data: rows, next: null })
  expect(partAfter(2, 2)).toEqual({ data: [3, 4], next: null })
  expect(partAfter(3, 2)).toEqual({ data: [4], next: null })
  expect(partAfter(4, 2)).toEqual({ data: [], next: null })
})
