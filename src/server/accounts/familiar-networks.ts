import type pg from 'pg'
import { networkOf } from '../platform/network-of.ts'

/** How an account is named: by what somebody types to log in, or by its id. */
export type Owner = 'by name' | 'by id'

const named = {
  'by name': 'username = lower($1) OR (email = lower($1) AND email_verified)',
  'by id': 'id = $1',
} as const

/**
 * Whether an account has been signed in to from a network, as far back as its activity tells. With the password of somebody
 * who set it anew by mail ends what was familiar to whoever knew the one before.
 */
export async function isFamiliar(pool: pg.Pool, { account, owner }: { account: string; owner: Owner }, network: string): Promise<boolean> {
  const name = account.trim()
  // PostgreSQL refuses to be asked about some of them.
  if (/\p{Cc}/u.test(name)) return false
  const { rows } = await pool.query<{ address: string }>(
    `WITH owner AS (SELECT id FROM users WHERE ${named[owner]})
     SELECT DISTINCT address FROM audit_events AS event JOIN owner ON owner.id = user_id
     WHERE kind IN ('registered', 'signed-in') AND address IS NOT NULL AND NOT EXISTS (
       SELECT FROM audit_events AS later WHERE later.user_id = event.user_id AND later.id > event.id
         AND later.kind IN ('account-reclaimed', 'password-reset', 'address-change-undone'))`,
    [name],
  )
  return rows.some(({ address }) => networkOf(address) === network)
}
