import { createHmac, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { PlanId } from '../../contract/user.ts'

/** Who is asking, read in one query with every request. */
export type Person = { id: string; username: string; email: string; plan: PlanId; selectedPropertyId: number | null }

const statement = {
  name: 'person-of-session',
  text: `SELECT u.id, coalesce(u.display_username, u.username, u.name) AS username, u.email, p.plan, p.selected_property_id AS "selectedPropertyId"
    FROM sessions s JOIN users u ON u.id = s.user_id JOIN people p ON p.user_id = u.id
    WHERE s.token = $1 AND s.expires_at > $2`,
}

/**
 * Reads the session of a request. better-auth's own reading costs over a millisecond of processor time,
 * too much for every request; this checks the same signature and the same row. Renewing is
 * left to better-auth, once per page load (service.ts).
 */
export function createSessionReader(pool: pg.Pool, secret: string, cookieNames: readonly string[], now: () => Date) {
  return async (cookieHeader: string | undefined): Promise<Person | null> => {
    const token = cookieHeader === undefined ? null : signedToken(cookieHeader, cookieNames, secret)
    if (token === null) return null
    const answer = await pool.query<Person>({ ...statement, values: [token, now()] })
    return answer.rows[0] ?? null
  }
}

/** The session token of the cookie header, if it is there and carries our signature. */
export function signedToken(cookieHeader: string, names: readonly string[], secret: string): string | null {
  for (const pair of cookieHeader.split(';')) {
    const at = pair.indexOf('=')
    if (!names.includes(pair.slice(0, at).trim())) continue
    const value = decode(pair.slice(at + 1).trim())
    const dot = value.lastIndexOf('.')
    if (dot < 1) continue
    const token = value.slice(0, dot)
    const expected = createHmac('sha256', secret).update(token).digest()
    const given = Buffer.from(value.slice(dot + 1), 'base64')
    if (given.length === expected.length && timingSafeEqual(given, expected)) return token
  }
  return null
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
