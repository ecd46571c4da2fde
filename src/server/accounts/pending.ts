import type { Db } from '../database/open.ts'
import type { Auth } from './auth.ts'

// Emailed links, logins in progress and trusted browsers: better-auth's `verifications`.

/** One that is still valid. Expired ones stay until they are swept. */
export async function findPending(auth: Auth, identifier: string) {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findVerificationValue(identifier)
  return found && found.expiresAt > new Date() ? found : null
}

/** Deletes the expired ones. */
export async function sweepPending(db: Db): Promise<void> {
  await db.deleteFrom('verifications').where('expiresAt', '<', new Date()).execute()
}

/** Most browsers that an account trusts; one more ends the oldest. Each is kept for thirty days. */
export const mostTrustedBrowsers = 20

/** Nothing else with an account's id as its value is valid this long. */
const longerThanLoginsMs = 24 * 3600_000

export async function endOldestTrusted(db: Db, userId: string): Promise<void> {
  const trusted = db
    .selectFrom('verifications')
    .where('value', '=', userId)
    .where('expiresAt', '>', new Date(Date.now() + longerThanLoginsMs))
  await db
    .deleteFrom('verifications')
    .where('id', 'in', trusted.select('id').orderBy('createdAt', 'desc').offset(mostTrustedBrowsers))
    .execute()
}
