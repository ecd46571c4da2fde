import type pg from 'pg'
import type { IsoDate } from '../../contract/common.ts'
import type { HeldPlan, Notice, PlanId } from '../../contract/user.ts'
import { type Offer, planUnder, siteLimitUnder } from '../../core/billing/offer.ts'
import { isProvenNow } from '../common/shown-to-others.ts'

/** What a report needs to know about a property: its last complete day, and the version of its facts. */
export type ReportProperty = { id: number; name: string; completeThrough: IsoDate | null; factsVersion: number }

/** The requester, with the property to use unless another is named. */
export type Person = {
  id: string
  username: string
  email: string
  emailVerified: boolean
  /** The address that replaces this one once it is confirmed. */
  pendingEmail: string | null
  /** False for people who only ever signed in with Google. */
  hasPassword: boolean
  twoFactorEnabled: boolean
  /** The addresses of the Google accounts that log in here. */
  googleSignIns: string[]
  /** One-time notices they haven't dismissed. */
  notices: Notice[]
  /** Null if nothing is sold. */
  plan: HeldPlan
  /** How many sites they may monitor; null for any number. */
  siteLimit: number | null
  planChosen: boolean
  /** Of the access this request came in with (hold-person.ts). */
  accessVersion: number
  /** The one this request came in with; absent with a key. */
  session?: { id: string; isProven: boolean }
  selected: ReportProperty | null
}

/** A session's person, when it ends, and whether they proved their identity within the last ten minutes. */
export type SessionPerson = { person: Person; expiresAt: Date; isProven: boolean }

type Row = Omit<Person, 'selected' | 'session' | 'plan' | 'siteLimit'> & { plan: PlanId } & { propertyId: number | null } & Omit<
    ReportProperty,
    'id'
  >

const columns = `u.id, coalesce(u.display_username, u.username, u.name) AS username, u.email, u.email_verified AS "emailVerified",
  CASE WHEN p.pending_email_until > now() THEN p.pending_email END AS "pendingEmail",
  credential.id IS NOT NULL AS "hasPassword", u.two_factor_enabled AS "twoFactorEnabled",
  ARRAY(SELECT g.email FROM google_sign_ins g WHERE g.user_id = u.id ORDER BY g.added_at) AS "googleSignIns",
  ARRAY(SELECT n.notice FROM notices n WHERE n.user_id = u.id AND n.dismissed_at IS NULL ORDER BY n.notice) AS notices,
  p.plan, p.plan_chosen_at IS NOT NULL AS "planChosen", p.access_version AS "accessVersion",
  property.id AS "propertyId", property.name, sync.complete_through AS "completeThrough", coalesce(sync.facts_version, 0) AS "factsVersion"`
// Nothing of a closed account lets anybody in: sessions, keys and links all resolve to a person here.
const tables = `users u JOIN people p ON p.user_id = u.id AND p.closed_at IS NULL
  LEFT JOIN accounts credential ON credential.provider_id = 'credential' AND credential.account_id = u.id
  LEFT JOIN properties property ON property.id = p.selected_property_id
  LEFT JOIN property_syncs sync ON sync.property_id = property.id`

// Written as SQL with prepared names: one of them runs on every request.
const ofSessions = {
  name: 'people-of-sessions',
  text: `SELECT s.token, s.id AS "sessionId", s.expires_at AS "expiresAt",
      ${isProvenNow('s')} AS "isProven", ${columns} FROM sessions s JOIN ${tables.replace('users u', 'users u ON u.id = s.user_id')}
    WHERE s.token = ANY($1) AND s.expires_at > $2`,
}
const byId = { name: 'person-by-id', text: `SELECT ${columns} FROM ${tables} WHERE u.id = $1` }

/** The people behind unexpired session tokens, by token. */
export async function peopleOfSessions(
  pool: pg.Pool,
  { tokens, offer, now }: { tokens: readonly string[]; offer: Offer; now: Date },
): Promise<Map<string, SessionPerson>> {
  const answer = await pool.query<Row & { token: string; sessionId: string } & Omit<SessionPerson, 'person'>>({
    ...ofSessions,
    values: [tokens, now],
  })
  return new Map(
    answer.rows.map(({ token, sessionId, expiresAt, isProven, ...row }) => {
      const person = { ...toPerson(row, offer), session: { id: sessionId, isProven } }
      return [token, { person, expiresAt, isProven }]
    }),
  )
}

export async function personById(pool: pg.Pool, userId: string, offer: Offer): Promise<Person | null> {
  const answer = await pool.query<Row>({ ...byId, values: [userId] })
  return answer.rows[0] ? toPerson(answer.rows[0], offer) : null
}

function toPerson({ propertyId, name, completeThrough, factsVersion, plan, planChosen, ...person }: Row, offer: Offer): Person {
  const inForce = planUnder(offer, plan)
  return {
    ...person,
    plan: inForce,
    planChosen: planChosen || inForce === null,
    siteLimit: siteLimitUnder(offer, plan),
    selected: propertyId === null ? null : { id: propertyId, name, completeThrough, factsVersion },
  }
}
