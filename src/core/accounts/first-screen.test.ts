import { expect, test } from 'vitest'
import { firstScreen } from './first-screen.ts'

test('up to three monitored properties lead to the dashboard, more to all of them', () => {
  expect([0, 1, 3, 4, 25].map(firstScreen)).toEqual(['/dashboard', '/dashboard', '/dashboard', '/sites', '/sites'])
})
