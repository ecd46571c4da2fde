import type { QueryClient } from '@tanstack/react-query'
import { type DataRouter, matchRoutes, type RouteObject } from 'react-router'

const againMillis = 200

/**
 * Fetches the code of screens before somebody opens them: of those that a link leads to when the pointer or the focus
 * comes to it, and of those beside the one on screen when the browser has nothing else to do. Not for people who save data.
 */
export function prefetchScreens(routes: RouteObject[], router: Pick<DataRouter, 'state' | 'subscribe'>, client: QueryClient): void {
  if (savesData()) return
  for (const event of ['pointerover', 'focusin']) {
    document.addEventListener(event, ({ target }) => prefetchLink(routes, target), { passive: true })
  }
  const stop = router.subscribe(({ initialized, navigation, location }) => {
    if (!initialized || navigation.state !== 'idle') return
    const waiting = screensBeside(routes, location.pathname)
    if (waiting.length === 0) return
    stop()
    whenQuiet(client, () => void prefetchAll(waiting, client))
  })
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

/** The screens that stand in the same frame as the one at this path; none for one that stands alone. */
export function screensBeside(routes: RouteObject[], pathname: string): RouteObject[] {
  const frame = (matchRoutes(routes, pathname) ?? []).at(-2)?.route
  return frame?.lazy === undefined ? [] : (frame.children ?? [])
}

/** One after the other, each when nothing else is going on. */
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
    // Opening the screen tries again, and tells.
  }
}

/** As soon as the page stands, no figures are on their way, and the browser is idle. */
function whenQuiet(client: QueryClient, then: () => void): void {
  const look = (): void => {
    if (document.readyState === 'complete' && client.isFetching() === 0) then()
    else setTimeout(whenIdle, againMillis, look)
  }
  whenIdle(look)
}

function whenIdle(then: () => void): void {
  // Safari knows no idle time.
  if ('requestIdleCallback' in window) window.requestIdleCallback(then)
  else setTimeout(then, againMillis)
}
