import { expect, test } from 'vitest'
import { isScreen } from '../../../contract/screens.ts'
import { mobileNav, nav } from './nav.ts'

test('only screens of the router are listed', () => {
  const listed = [...nav.flatMap((group) => group.items), ...mobileNav]
  expect(listed.filter((item) => !isScreen(item.path))).toEqual([])
})

test('the dashboard and the profile have their places', () => {
  expect(nav.map((group) => group.label)).toEqual(expect.arrayContaining(['Overview', 'Account']))
  expect(mobileNav.map(({ label, path }) => [label, path])).toEqual(
    expect.arrayContaining([
      ['Dashboard', '/'],
      ['Account', '/account'],
    ]),
  )
})
