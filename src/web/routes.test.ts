import { expect, test } from 'vitest'
import type { RouteObject } from 'react-router'
import { paths } from './paths.ts'
import { routes } from './routes.tsx'

function pathsOf(entries: readonly RouteObject[]): string[] {
  return entries.flatMap((entry) => [...(entry.path === undefined ? [] : [entry.path]), ...pathsOf(entry.children ?? [])])
}

test('the router has every screen of paths.ts, and no other but the not-found page', () => {
  expect(pathsOf(routes).toSorted()).toEqual([...Object.values(paths), '*'].toSorted())
})
