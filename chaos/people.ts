import { z } from 'zod'
import { alertConditions } from '../src/contract/alerts/conditions.ts'
import type { IsoDate } from '../src/contract/common.ts'
import { addDays, eachDay, pacificDay } from '../src/core/analytics/days.ts'
import { throughConsent } from '../test/support/consent.ts'
import { backfillFrom, select, synced } from '../test/support/people.ts'
import { until } from '../test/support/until.ts'
import { type Answer, createVisitor, type Visitor } from '../test/support/visitor.ts'
import type { Installation } from './installation.ts'
import type { StandIns } from './stand-ins.ts'

/** A user with everything switched on, and a property whose fallen pages are known. */
export type Inhabitant = {
  name: string
  visitor: Visitor
  account: string
  /** Their property with dictated figures, and everything they have at Google. */
  site: string
  sites: string[]
  pages: readonly string[]
  /** Pages whose last complete week is a fifth of the weeks before. */
  fallen: Set<string>
  /** The rule that watches these pages. */
  ruleId: string
  imports: string
}

/** Days of history: the rules need some weeks to know what is usual. */
const history = 45
const pageNames = ['lamps', 'rugs', 'chairs', 'beds', 'sofas', 'shelves', 'tables', 'mirrors']
/**
 * Clicks of a page on a day: each page has twice as many as the one before, so that every set of fallen pages gives different sums. Days
 * already final are fetched again if their sums have changed.
 */
const usual = (page: number): number => 100 * 2 ** page
const fallenShare = 0.2
/** Figures of the last three days are not final. */
const lateDays = 3

const lastComplete = (): IsoDate => addDays(pacificDay(new Date()), -lateDays)
const firstDay = (): IsoDate => addDays(pacificDay(new Date()), 1 - history)

const waitsFor = z.object({ id: z.string() })

/** A user's request from their own address, so that nobody hits limits per address. */
export async function ask(
  person: Pick<Inhabitant, 'visitor'>,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const bytes = crypto.getRandomValues(new Uint8Array(3))
  const extra = { headers: { 'x-forwarded-for': `10.${bytes.join('.')}`, ...headers } }
  return method === 'GET' ? person.visitor.get(path, extra) : person.visitor.send(method, path, body, extra)
}

/** The same, which must succeed; retried while what it needs recovers. */
export async function insist(...asked: Parameters<typeof ask>): Promise<unknown> {
  const answer = await until(
    () => ask(...asked).catch((error: unknown) => ({ status: 0, body: String(error) })),
    ({ status }) => status >= 200 && status < 500,
    90_000,
  )
  const [, method, path] = asked
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Registers a user through Google, connects all channels and one property, and creates their only rule. */
export async function settleIn(name: string, at: Installation, world: StandIns): Promise<Inhabitant> {
  const account = `${name}@example.test`
  const site = `https://${name}.example/`
  await world.google.account(account, { [site]: 'empty' })
  await world.google.call('PUT', 'late', { site, days: lateDays })
  const person: Inhabitant = {
    name,
    visitor: createVisitor(() => at.url),
    account,
    site,
    sites: [site],
    pages: pageNames.map((page) => site + page),
    fallen: new Set(),
    ruleId: '',
    imports: `${name} imported`,
  }
  await throughConsent(person.visitor, { account })
  await at.sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1)`, [
    account,
  ])
  await connectChannels(person, world)
  await dictate(person, world, firstDay())
  await backfillFrom(at.sql, site, firstDay())
  await select(person.visitor, site)
  await synced(person.visitor, site, 120_000)
  await replaceRules(person)
  await insist(person, 'POST', '/api/alerts/evaluate')
  return person
}

async function connectChannels(person: Inhabitant, world: StandIns): Promise<void> {
  const hook = `T00000001/B${person.name.toUpperCase()}/abcdefghijklmnopqrstuvwx`
  const number = `+4477009${String(10_000 + Math.floor(Math.random() * 80_000))}`
  await insist(person, 'PUT', '/api/delivery-channels/slack', { webhookUrl: world.slack.hookUrl(hook) })
  await insist(person, 'PUT', '/api/delivery-channels/webhook', { url: `${world.webhook.hookUrl}/${person.name}` })
  await insist(person, 'PUT', '/api/delivery-channels/sms', { number })
  const { body } = await world.sms.messageTo(number)
  await insist(person, 'POST', '/api/delivery-channels/sms/confirm', { code: /\d{6}/.exec(body)?.[0] ?? '' })
  await insist(person, 'PATCH', '/api/delivery-settings', {
    emailEnabled: true,
    slackEnabled: true,
    smsEnabled: true,
    webhookEnabled: true,
    criticalAlerts: true,
    warningAlerts: true,
    positiveAlerts: true,
    frequency: 'instant',
    digestHour: 8,
    quietHours: null,
  })
}

/** A single rule about exactly the pages with dictated figures: so its expected findings are known. */
export async function replaceRules(person: Inhabitant): Promise<void> {
  const path = `/api/alert-conditions?property=${encodeURIComponent(person.site)}`
  for (const { id } of alertConditions.parse(await insist(person, 'GET', path)))
    await insist(person, 'DELETE', `/api/alert-conditions/${id}`)
  const rule = { type: 'clicks', title: 'Clicks drop', monitor: 'pages', targets: person.pages, threshold: 15, isEnabled: true }
  person.ruleId = waitsFor.parse(await insist(person, 'POST', path, rule)).id
}

/** Tells Google the figures of all days from one on, according to `fallen`. */
export async function dictate(
  { site, pages, fallen }: Inhabitant,
  world: StandIns,
  from: IsoDate = addDays(lastComplete(), -6),
): Promise<void> {
  const lastWeek = addDays(lastComplete(), -6)
  for (const date of eachDay(from, pacificDay(new Date()))) {
    const rows = pages.map((page, index) => {
      const clicks = usual(index) * (date >= lastWeek && fallen.has(page) ? fallenShare : 1)
      return { query: `buy ${page.slice(site.length)}`, page, clicks, impressions: clicks * 10, position: 4 }
    })
    await world.google.setRows(site, date, rows)
  }
}

/** A user's next property at Google, with this many days to fetch. */
export async function addSite(person: Inhabitant, at: Installation, world: StandIns, days: number): Promise<string> {
  const site = `https://${person.name}-${person.sites.length}.example/`
  await world.google.call('POST', 'sites', { account: person.account, site, profile: 'local' })
  // As late as the first one: alerts wait twenty minutes for a person's other properties to be evaluated for the same days.
  await world.google.call('PUT', 'late', { site, days: lateDays })
  await insist(person, 'GET', '/api/gsc-properties')
  await backfillFrom(at.sql, site, addDays(pacificDay(new Date()), 1 - days))
  await insist(person, 'POST', '/api/gsc-properties/select', { selectedProperty: site })
  person.sites.push(site)
  return site
}
