import { createHmac, randomBytes } from 'node:crypto'
import type { IsoDate } from '../../src/contract/common.ts'
import { syncStatuses, type SyncStatus } from '../../src/contract/sync.ts'
import type { PlanId } from '../../src/contract/user.ts'
import { addDays, pacificDay } from '../../src/core/analytics/days.ts'
import { sessionSecret } from '../../src/server/accounts/auth.ts'
import { loadSecretKeys } from '../../src/server/platform/secrets.ts'
import { quickPasswords, type TestApp } from './app.ts'
import { throughConsent } from './consent.ts'
import type { Profile } from './google-control.ts'
import type { Sql } from './stores.ts'
import { until } from './until.ts'
import type { Visitor } from './visitor.ts'

export type PersonOptions = {
  email?: string
  /** Properties of the user's Google account. */
  sites?: Record<string, Profile>
  plan?: PlanId
}

/** Registers a new user, without a Google account. */
export async function registered(app: TestApp, username: string, password = 'a-good-password'): Promise<Visitor> {
  const visitor = app.visitor()
  const form = { username, email: `${username}@example.test`, password }
  const answer = await visitor.send('POST', '/api/auth/register', form)
  if (answer.status !== 200) throw new Error(`${username} could not register: ${JSON.stringify(answer.body)}`)
  return visitor
}

type MemberOptions = {
  email: string
  plan?: PlanId
  /** With one, they log in with the name before the @ and haven't confirmed their address; otherwise they came from Google and have. */
  password?: string
  /** Whether their address is confirmed all the same. */
  confirmed?: boolean
}

/** A user with an account and a session, created directly: without consent, emails, events or sites. */
export async function member(
  app: TestApp,
  { email, plan = 'free', password, confirmed = password === undefined }: MemberOptions,
): Promise<Visitor> {
  const token = randomBytes(24).toString('base64url')
  const hash = password === undefined ? null : await quickPasswords.hash(password)
  await (
    await app.stores()
  ).sql(
    `WITH person AS (
       INSERT INTO users (id, name, username, display_username, email, email_verified)
       VALUES (gen_random_uuid(), $1, lower($1), $1, $2, $6) RETURNING id),
     credential AS (
       INSERT INTO accounts (id, account_id, provider_id, user_id, password)
       SELECT gen_random_uuid(), id, 'credential', id, $3::text FROM person WHERE $3::text IS NOT NULL),
     rest AS (
       INSERT INTO people (user_id, plan, granted_plan, plan_chosen_at)
       SELECT id, $4, nullif($4, 'free'), CASE WHEN $3::text IS NULL THEN now() END FROM person)
     INSERT INTO sessions (id, user_id, token, expires_at)
     SELECT gen_random_uuid(), id, $5, now() + interval '30 days' FROM person`,
    [email.split('@')[0], email, hash, plan, token, confirmed],
  )
  const [key] = await loadSecretKeys({ dataDir: app.dataDir })
  const signature = createHmac('sha256', sessionSecret(key)).update(token).digest('base64')
  const visitor = app.visitor()
  visitor.cookies.set('ranklark.session_token', encodeURIComponent(`${token}.${signature}`))
  return visitor
}

/** Signs in a new user with their own Google account, through the real consent page. */
export async function newPerson(
  app: TestApp,
  { email = 'owner@example.test', sites = {}, plan = 'free' }: PersonOptions = {},
): Promise<Visitor> {
  await app.google.account(email, sites)
  const person = app.visitor()
  const place = await throughConsent(person, { account: email })
  if (place !== '/onboarding/plan?connected=true') throw new Error(`${email} could not connect: ${place}`)
  const { sql } = await app.stores()
  const ofPerson = 'WHERE user_id = (SELECT id FROM users WHERE email = $1)'
  await sql(`UPDATE people SET plan = $2, granted_plan = nullif($2, 'free'), plan_chosen_at = now() ${ofPerson}`, [email, plan])
  return person
}

/** Confirms a user's address with the link in the newest email to it. */
export async function confirmAddress(app: TestApp, person: Visitor, address: string): Promise<void> {
  const answer = await person.send('POST', '/api/auth/verify-email', { token: await mailedToken(app, address, 'confirm-address') })
  if (answer.status !== 200) throw new Error(`${address} could not be confirmed: ${JSON.stringify(answer.body)}`)
}

/** The token in the link of the newest email of a kind to an address. */
export async function mailedToken(app: TestApp, address: string, kind: string): Promise<string> {
  const { links } = await app.mail.mailTo(address, { kind })
  return links.map((link) => new URL(link).searchParams.get('token')).find((token) => token !== null) ?? ''
}

/** Gives an account another address, confirmed immediately. */
export async function moveTo(app: TestApp, person: Visitor, address: string): Promise<void> {
  await person.send('PATCH', '/api/user', { email: address })
  await confirmAddress(app, person, address)
}

/** Makes existing sessions and their last proofs this much older, so that a password is required again. */
export async function leaveUnproven(app: TestApp): Promise<void> {
  await (await app.stores()).sql(`UPDATE sessions SET proven_at = now() - interval '10 minutes'`)
}

/** Shortens the history to fetch from 16 months to some days, including today. Call before selecting. */
export async function shortenHistory(app: TestApp, site: string, days: number): Promise<void> {
  await backfillFrom((await app.stores()).sql, site, addDays(pacificDay(app.google.now()), 1 - days))
}

/** Makes a day the first one of a property's backfill. */
export async function backfillFrom(sql: Sql, site: string, day: IsoDate): Promise<void> {
  await sql(
    `INSERT INTO search_type_syncs (property_id, search_type, backfill_to) SELECT id, 'web', $2 FROM properties WHERE name = $1
     ON CONFLICT (property_id, search_type) DO UPDATE SET backfill_to = $2`,
    [site, day],
  )
}

export async function select(person: Visitor, site: string): Promise<void> {
  const answer = await person.send('POST', '/api/gsc-properties/select', { selectedProperty: site })
  if (answer.status !== 200) throw new Error(`${site} could not be selected: ${JSON.stringify(answer.body)}`)
}

/** `GET /api/sync` for one property. */
export async function statusOf(person: Visitor, site: string): Promise<SyncStatus> {
  const answer = await person.get(`/api/sync?property=${encodeURIComponent(site)}`)
  const [status] = syncStatuses.parse(answer.body)
  if (!status) throw new Error(`There is no property ${site}`)
  return status
}

/** Waits until all of a property is stored. */
export const synced = (person: Visitor, site: string, ms?: number): Promise<SyncStatus> =>
  until(
    () => statusOf(person, site),
    (status) => status.state === 'ok' && status.daysLeft === 0 && !status.running,
    ms,
  )

/** Waits until a property's sync is in the given state and at rest. */
export const stoppedAs = (person: Visitor, site: string, state: SyncStatus['state']): Promise<SyncStatus> =>
  until(
    () => statusOf(person, site),
    (status) => status.state === state && !status.running,
  )

/** The owner presses Refresh and waits until the sync has ended, whatever the outcome. */
export async function refresh(person: Visitor, site: string): Promise<SyncStatus> {
  const answer = await person.send('POST', '/api/sync', { property: site })
  if (answer.status !== 202) throw new Error(`${site} could not be refreshed: ${JSON.stringify(answer.body)}`)
  return until(
    () => statusOf(person, site),
    (status) => !status.running,
  )
}

/** A new user who monitors one property with some stored days of history. */
export async function ownerOf(app: TestApp, site: string, options: { profile?: Profile; days: number; email?: string }): Promise<Visitor> {
  const owner = await newPerson(app, { sites: { [site]: options.profile ?? 'empty' }, ...(options.email && { email: options.email }) })
  await shortenHistory(app, site, options.days)
  await select(owner, site)
  await synced(owner, site)
  return owner
}

/** The number under which a property's facts are stored. */
export async function propertyId(app: TestApp, site: string): Promise<number> {
  const [row] = await (await app.stores()).sql<{ id: string }>('SELECT id FROM properties WHERE name = $1', [site])
  if (!row) throw new Error(`There is no property ${site}`)
  return Number(row.id)
}
