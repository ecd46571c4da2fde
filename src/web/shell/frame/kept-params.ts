import { useLocation } from 'react-router'
import { ranges } from '../../../contract/range.ts'
import { paths } from '../../paths.ts'

/** Screens about one property's figures: their URLs name it, and their days carry over to each other. */
export const analyticsScreens: readonly string[] = [
  paths.dashboard,
  paths.insights,
  paths.keywordOpportunities,
  paths.pageAnalytics,
  paths.explore,
]

/** Screens that list the rows of all properties, too. */
export const listsOfAll: readonly string[] = [paths.keywordOpportunities, paths.pageAnalytics]

/** Screens whose figures can be those of any search type. */
const typedScreens: readonly string[] = [paths.dashboard, paths.explore]

/**
 * The target URL of a link to a screen: between analytics screens the property, the days, the comparison and, where both have one, the search type
 * stay, also in a new tab. A link to a part of the screen that is shown keeps everything.
 */
export function withKeptParams(path: string, from: { pathname: string; search: string }): string {
  const { pathname, hash, searchParams: then } = new URL(path, 'https://x')
  // "/" redirects to the dashboard, without anything else.
  const screen = pathname === paths.home ? paths.dashboard : pathname
  if (!analyticsScreens.includes(screen) || !analyticsScreens.includes(from.pathname)) return path
  if (hash !== '' && screen === from.pathname) return screen + from.search + hash
  const now = new URLSearchParams(from.search)
  const days = now.get('days')
  // An old form that only some of the screens read.
  if (!now.has('range') && ranges.some((range) => String(range) === days)) now.set('range', `${days}d`)
  const isTyped = typedScreens.includes(screen) && typedScreens.includes(from.pathname)
  for (const name of ['property', 'range', 'compare', 'grain', ...(isTyped ? ['type'] : [])]) {
    const value = now.get(name)
    if (value !== null && !then.has(name) && (value !== 'all' || name !== 'property' || listsOfAll.includes(screen))) then.set(name, value)
  }
  return (then.size === 0 ? pathname : `${screen}?${then}`) + hash
}

/** `withKeptParams` from the current URL. */
export function useCarriedTo(): (path: string) => string {
  const location = useLocation()
  return (path) => withKeptParams(path, location)
}
