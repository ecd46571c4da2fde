import { expect, test } from 'vitest'
import { stillOnTheWay } from './sent-values.ts'

test('a value that arrived is no longer pending, later ones still are', () => {
  expect(stillOnTheWay(['lamp'], 'lamp')).toEqual([])
  expect(stillOnTheWay(['lamp', 'lamps'], 'lamp')).toEqual(['lamps'])
})

test('a later value may arrive alone', () => {
  expect(stillOnTheWay(['lamp', 'lamps', ''], 'lamps')).toEqual([''])
  expect(stillOnTheWay(['lamp', '', 'lamp'], 'lamp')).toEqual([])
})

test('values that nobody sent, or that arrived before, come from elsewhere', () => {
  expect(stillOnTheWay(['lamp'], 'desk')).toBeNull()
  expect(stillOnTheWay([], 'lamp')).toBeNull()
})
