import { alertConditions } from '../../src/contract/alerts/conditions.ts'
import type { PlanId } from '../../src/contract/user.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import type { TestApp } from './app.ts'
import { runJob } from './jobs.ts'
import { newPerson } from './people.ts'
import { openAlerts } from './opened-alerts.ts'
import { watchedAtOnce } from './stored-history.ts'
import type { Visitor } from './visitor.ts'

/** Days of data; the rules need some weeks to know what is usual. */
const history = 70

export type FallingSite = {
  owner: Visitor
  site: string
  email: string
  /** By severity: a page that lost 80%, and one that lost a quarter. */
  pages: readonly [critical: string, warning: string]
  /** Sets Google's clicks for both pages on some days. */
  dictate(from: string, to: string, clicks: readonly [number, number]): Promise<void>
}

type Options = {
  /** The app's current day: every day up to three days before is complete. */
  today: string
  plan?: PlanId
  /** What the user does before their property is monitored and anything can be found. */
  prepare?: (owner: Visitor) => Promise<void>
}

/** Deletes the rule about unusual clicks of the whole site, so that each page's losses are alerted about. */
export async function pagesAlone(owner: Visitor): Promise<void> {
  for (const { id, kind } of alertConditions.parse((await owner.get('/api/alert-conditions')).body))
    if (kind === 'unusual') await owner.send('DELETE', `/api/alert-conditions/${id}`)
}

/** A user with one property where two pages lost clicks in the last complete week; the default rules have found both. */
export async function fallingSite(app: TestApp, name: string, options: Options): Promise<FallingSite> {
  const site = `https://${name}.example/`
  const email = `${name}@example.test`
  const pages = [`${site}lamps`, `${site}<img src=x onerror=alert(1)>&"'`] as const
  const through = addDays(options.today, -3)
  const owner = await newPerson(app, { email, sites: { [site]: 'empty' }, ...(options.plan && { plan: options.plan }) })
  await app.google.call('PUT', 'late', { site, days: 3 })
  const dictate: FallingSite['dictate'] = async (from, to, [first, second]) => {
    await app.google.setDays(site, { from, to }, [
      { query: 'lamp', page: pages[0], clicks: first, impressions: first * 10, position: 4 },
      { query: '<b>odd</b>', page: pages[1], clicks: second, impressions: second * 10, position: 6 },
    ])
  }
  await dictate(addDays(options.today, -history), addDays(through, -7), [100, 200])
  await dictate(addDays(through, -6), options.today, [20, 150])
  await options.prepare?.(owner)
  await watchedAtOnce(app, site, { from: addDays(options.today, -history) })
  await pagesAlone(owner)
  await runJob(app, 'alerts-due')
  return { owner, site, email, pages, dictate }
}

/**
 * The same without Google and the rules: both alerts exist, and are sent wherever alerts are instant, without the days in which they were
 * found.
 */
export async function fallenSite(app: TestApp, name: string, options: Omit<Options, 'today'>): Promise<Omit<FallingSite, 'dictate'>> {
  const site = `https://${name}.example/`
  const email = `${name}@example.test`
  const pages = [`${site}lamps`, `${site}<img src=x onerror=alert(1)>&"'`] as const
  const owner = await newPerson(app, { email, sites: { [site]: 'empty' }, ...(options.plan && { plan: options.plan }) })
  await options.prepare?.(owner)
  // Two complete weeks: a digest covers them even if nothing happened.
  await watchedAtOnce(app, site, { days: 17 })
  const openedAt = app.google.now().toISOString()
  await openAlerts(app, site, [
    { openedAt, severity: 'critical', entity: { kind: 'page', name: pages[0] }, previous: 700, current: 140, change: -80 },
    { openedAt, severity: 'warning', entity: { kind: 'page', name: pages[1] }, previous: 1_400, current: 1_050, change: -25 },
  ])
  await runJob(app, 'delivery-due')
  return { owner, site, email, pages }
}
