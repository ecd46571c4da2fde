import { expect, test } from 'vitest'
import { paths } from './paths.ts'
import { screensBeside } from './prefetch.ts'
import { routes } from './routes.tsx'

test('beside a screen of the shell are all others of the shell', () => {
  const beside = screensBeside(routes, paths.dashboard).map(({ path }) => path)
  expect(beside).toEqual(expect.arrayContaining([paths.alerts, paths.alertSettings, paths.settings, paths.account]))
})

test('a screen that stands alone has none beside it', () => {
  expect(screensBeside(routes, paths.login)).toEqual([])
  expect(screensBeside(routes, '/nowhere')).toEqual([])
})
