import { ControlError, faultHandlers, handleControl as handle, type Handlers, logHandlers } from '../../lib/control.ts'
import { untilAfter } from '../../lib/faults.ts'
import { type Call, json, type Reply } from '../../lib/http.ts'
import { createAccount } from '../accounts.ts'
import { ApiFailure } from '../api/errors.ts'
import { incidents } from '../figures/incidents.ts'
import { formatDay } from '../dates.ts'
import { extract } from '../bulk/extract.ts'
import { normaliseScopes } from '../oauth/scopes.ts'
import { accessAnswer } from '../oauth/token.ts'
import { publishedIncidents } from '../status/incidents.ts'
import type { World } from '../world.ts'
import * as input from './input.ts'
import { dayOf, totals } from './totals.ts'

const DEFAULT_SCOPES = normaliseScopes('openid email https://www.googleapis.com/auth/webmasters.readonly')

function property(world: World, site: string) {
  const found = world.property(site)
  if (!found) throw new ControlError(404, `no property ${site}`)
  return found
}

function account(world: World, email: string) {
  const found = world.accounts.get(email)
  if (!found) throw new ControlError(404, `no account ${email}`)
  return found
}

function state(world: World): unknown {
  const view = world.view()
  return {
    today: formatDay(view.today),
    frozen: world.clock.frozen(),
    anchor: world.anchor,
    clientId: world.clientId,
    quotas: world.quota.quotas,
    tokens: world.tokens.counts(),
    faults: world.faults.list(),
    accounts: [...world.accounts.values()].map((each) => ({
      email: each.email,
      name: each.name,
      sub: each.sub,
      sites: Object.fromEntries(each.sites),
    })),
  }
}

const handlers: Handlers<World> = {
  ...faultHandlers,
  ...logHandlers,
  'GET state': (world) => state(world),
  'GET today': (world) => ({ today: formatDay(world.view().today), frozen: world.clock.frozen() }),
  'PUT today': (world, body) => {
    const { today } = input.todayInput.parse(body)
    if (!world.clock.set(today)) throw new ControlError(400, `not a date: ${today}`)
    return { today: formatDay(world.view().today), frozen: world.clock.frozen() }
  },
  'POST tokens/expire-access': (world, body) => ({ ended: world.tokens.expireAccess(input.tokensInput.parse(body).account ?? null) }),
  'POST tokens/expire-refresh': (world, body) => ({ ended: world.tokens.killRefresh(input.tokensInput.parse(body).account ?? null) }),
  'POST tokens/revoke': (world, body) => {
    world.tokens.revoke(input.tokensInput.parse(body).account ?? null)
    return {}
  },
  'POST grant': (world, body) => {
    const { account: email, scopes } = input.grantInput.parse(body)
    const granted = scopes ? normaliseScopes(scopes.join(' ')) : DEFAULT_SCOPES
    const { sub } = account(world, email)
    world.tokens.agree(email, granted)
    const refresh_token = world.tokens.issueRefresh(email, granted)
    return { ...accessAnswer(world, email, granted, null), refresh_token, email, sub }
  },
  'POST fail': (world, body) => {
    const { site, seconds, ...fault } = input.failInput.parse(body)
    world.faults.add({ ...fault, siteUrl: site, until: untilAfter(seconds) })
    return { faults: world.faults.list() }
  },
  'PUT delay': (world, body) => {
    world.faults.setDelay(input.delayInput.parse(body))
    return {}
  },
  'PUT dashboard': (world, body) => {
    const given = input.dashboardInput.parse(body)
    world.dashboard.reply = given && {
      status: given.status,
      headers: { 'content-type': 'application/json', ...(given.location !== undefined && { location: given.location }) },
      body: ' '.repeat(given.spaces) + given.body,
    }
    return {}
  },
  'GET dashboard': (world) => ({ asked: world.dashboard.asked, incidents: publishedIncidents(world) }),
  'PUT late': (world, body) => {
    const { site, days } = input.lateInput.parse(body)
    const late = property(world, site)
    late.daysLate = days
    late.changed()
    return { finalDate: formatDay(late.finalDay(world.view().today)) }
  },
  'POST revise': (world, body) => {
    const { site, date, type, factor, rows } = input.reviseInput.parse(body)
    const revision = factor !== undefined ? { factor } : rows !== undefined ? { keepRows: rows } : null
    property(world, site).revise(type, dayOf(date), revision)
    return {}
  },
  'PUT hours': (world, body) => {
    const { site, type, changes } = input.hoursInput.parse(body)
    const parsed = changes.map(({ from, until, ...change }) => ({
      ...change,
      fromMs: Date.parse(from),
      untilMs: until === undefined ? Infinity : Date.parse(until),
    }))
    property(world, site).changeHours(type, parsed)
    return { changes: parsed.length }
  },
  'PUT rows': (world, body) => {
    const { site, date, until = date, type, rows } = input.overrideInput.parse(body)
    const changed = property(world, site)
    for (let day = dayOf(date); day <= dayOf(until); day++) changed.override(type, day, rows)
    return { rows: rows?.length ?? null }
  },
  'PUT permissions': (world, body) => {
    const { account: email, site, permission } = input.permissionInput.parse(body)
    const { sites } = account(world, email)
    if (permission === null) sites.delete(site)
    else sites.set(site, permission)
    return { sites: Object.fromEntries(sites) }
  },
  'POST accounts': (world, body) => {
    const { email, name, consumer } = input.accountInput.parse(body)
    if (!world.accounts.has(email)) world.accounts.set(email, createAccount(email, name ?? email, { consumer }))
    return { email, sub: account(world, email).sub }
  },
  'POST sites': (world, body) => {
    const { account: email, site, permission, profile, seed } = input.siteInput.parse(body)
    const { sites } = account(world, email)
    if (!world.properties().has(site)) world.addProperty(site, profile, seed)
    sites.set(site, permission)
    return { site, permission }
  },
  'PUT quotas': (world, body) => {
    world.quota.configure({ ...world.quota.quotas, ...definedOnly(input.quotasInput.parse(body)) })
    return { quotas: world.quota.quotas }
  },
  'GET totals': (world, _body, query) => {
    const answer = totals(world, input.totalsInput.parse(Object.fromEntries(query)))
    if (answer === undefined) throw new ControlError(404, `no property ${query.get('site')}`)
    return answer
  },
  'POST bulk': (world, body) => {
    const { site, start, end, ...how } = input.bulkInput.parse(body)
    return { files: extract(property(world, site), { ...how, start: dayOf(start), end: dayOf(end) }, world.view()) }
  },
  'GET incidents': (world, _body, query) => {
    const site = query.get('site')
    // Only asks properties with a script: building the large one needlessly would take most of a second.
    const scripted = new Set<string>(incidents.map((incident) => incident.property))
    const sites = site === null ? [...world.properties()].filter(([, { profile }]) => scripted.has(profile)).map(([name]) => name) : [site]
    return { anchor: world.anchor, incidents: sites.flatMap((each) => property(world, each).incidents()) }
  },
  'POST reset': (world, body) => {
    world.reset(input.resetInput.parse(body).keepTokens)
    return state(world)
  },
}

/** Drops fields that are present but undefined, which would otherwise overwrite existing values. */
function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** Answers a call of the control API. */
export const handleControl = (world: World, call: Call): Promise<Reply> =>
  handle(world, handlers, call, (error) => (error instanceof ApiFailure ? json(error.error.status, error.error.body) : undefined))
