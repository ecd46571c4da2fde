import { expect, test } from 'vitest'
import { stillOnTheWay } from './sent-values.ts'

test('what arrives is no longer on its way, what was sent after it still is', () => {
  expect(stillOnTheWay(['lamp'], 'lamp')).toEqual([])
  expect(stillOnTheWay(['lamp', 'lamps'], 'lamp')).toEqual(['lamps'])
})

test('a later value may come alone', () => {
  expect(stillOnTheWay(['lamp', 'lamps', ''], 'lamps')).toEqual([''])
  expect(stillOnTheWay(['lamp', '', 'lamp'], 'lamp')).toEqual([])
})

test('what nobody has sent, or what has arrived before, comes from elsewhere', () => {
  expect(stillOnTheWay(['lamp'], 'desk')).toBeNull()
  expect(stillOnTheWay([], 'lamp')).toBeNull()
})
