import { expect, test } from 'vitest'
import { paths } from './paths.ts'
import { screensBeside } from './prefetch.ts'
import { routes } from './routes.tsx'

test('a screen of the shell prefetches all others of the shell', () => {
  const beside = screensBeside(routes, paths.dashboard).map(({ path }) => path)
  expect(beside).toEqual(expect.arrayContaining([paths.alerts, paths.alertSettings, paths.settings, paths.account]))
})

test('a standalone screen prefetches none', () => {
  expect(screensBeside(routes, paths.login)).toEqual([])
  expect(screensBeside(routes, '/nowhere')).toEqual([])
})
