import type { QueryClient } from '@tanstack/react-query'
import { type DataRouter, matchRoutes, type RouteObject } from 'react-router'

const againMillis = 200

/**
 * Fetches screens' code before somebody opens them: a link's target on pointer or focus, and the current screen's siblings when the browser
 * is idle. Not for people who save data.
 */
export function prefetchScreens(routes: RouteObject[], router: Pick<DataRouter, 'state' | 'subscribe'>, client: QueryClient): void {
  if (savesData()) return
  for (const event of ['pointerover', 'focusin']) {
    document.addEventListener(event, ({ target }) => prefetchLink(routes, target), { passive: true })
  }
  // The router may have been ready before this code was: then it no longer changes by itself.
  if (prefetchBeside(router.state)) return
  const stop = router.subscribe((state) => {
    if (prefetchBeside(state)) stop()
  })

  /** Whether the screen on display has siblings, whose code is fetched from now on. */
  function prefetchBeside({ initialized, navigation, location }: DataRouter['state']): boolean {
    if (!initialized || navigation.state !== 'idle') return false
    const waiting = screensBeside(routes, location.pathname)
    if (waiting.length > 0) whenQuiet(client, () => void prefetchAll(waiting, client))
    return waiting.length > 0
  }
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}

function prefetchLink(routes: RouteObject[], target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.origin !== window.location.origin) return
  for (const { route } of matchRoutes(routes, link.pathname) ?? []) void fetchCode(route)
}

/** The screens in the same frame as the one at this path; none for a standalone one. */
export function screensBeside(routes: RouteObject[], pathname: string): RouteObject[] {
  const frame = (matchRoutes(routes, pathname) ?? []).at(-2)?.route
  return frame?.lazy === undefined ? [] : (frame.children ?? [])
}

/** One by one, each when nothing else is going on. */
async function prefetchAll(routes: readonly RouteObject[], client: QueryClient): Promise<void> {
  const [next, ...others] = routes
  if (next === undefined || !navigator.onLine) return
  await fetchCode(next)
  whenQuiet(client, () => void prefetchAll(others, client))
}

async function fetchCode({ lazy }: RouteObject): Promise<void> {
  if (typeof lazy !== 'function') return
  try {
    await lazy()
  } catch {
    // Opening the screen retries, and shows errors.
  }
}

/** Once the page is complete, no figures are loading, and the browser is idle. */
function whenQuiet(client: QueryClient, then: () => void): void {
  const look = (): void => {
    if (document.readyState === 'complete' && client.isFetching() === 0) then()
    else setTimeout(whenIdle, againMillis, look)
  }
  whenIdle(look)
}

function whenIdle(then: () => void): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(then)
  else setTimeout(then, againMillis)
}
