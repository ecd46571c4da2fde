import { useLocation } from 'react-router'
import { ranges } from '../../../contract/analytics.ts'
import { paths } from '../../paths.ts'

/** Screens about the figures of one property: their addresses name it, and the days they show are those of the one before. */
export const analyticsScreens: readonly string[] = [
  paths.dashboard,
  paths.insights,
  paths.keywordOpportunities,
  paths.pageAnalytics,
  paths.explore,
]

/** Where a link to a screen leads from this address: between analytics screens the days and what they are compared with stay. */
export function carriedTo(path: string, from: { pathname: string; search: string }): string {
  const [screen = path, search = ''] = path.split('?')
  if (!analyticsScreens.includes(screen) || !analyticsScreens.includes(from.pathname)) return path
  const [now, then] = [new URLSearchParams(from.search), new URLSearchParams(search)]
  const days = now.get('days')
  // An old spelling, which only some of the screens read.
  if (!now.has('range') && ranges.some((range) => String(range) === days)) now.set('range', `${days}d`)
  for (const name of ['range', 'compare', 'grain']) {
    const value = now.get(name)
    if (value !== null && !then.has(name)) then.set(name, value)
  }
  return then.size === 0 ? screen : `${screen}?${then}`
}

/** `carriedTo` from the address that is shown. */
export function useCarriedTo(): (path: string) => string {
  const location = useLocation()
  return (path) => carriedTo(path, location)
}
