import type { Offer } from '../../../core/billing/offer.ts'
import type { Db } from '../../database/open.ts'
import { type ExportSection, jsonFile } from '../../common/export-file.ts'

const columns = ['users.email', 'users.emailVerified', 'users.twoFactorEnabled', 'users.createdAt', 'users.updatedAt'] as const

/** account.json: who somebody is, where they are signed in, and their one-time notices, dismissed or not. Leaves out anything that would let somebody in. */
export const exportAccount =
  (db: Db, { billing }: Offer): ExportSection =>
  async (userId) => {
    const { displayUsername, username, ...profile } = await db
      .selectFrom('users')
      .where('id', '=', userId)
      .select([...columns, 'users.username', 'users.displayUsername'])
      .executeTakeFirstOrThrow()
    const person = await db
      .selectFrom('people')
      .where('userId', '=', userId)
      .select(['plan', 'planChosenAt', 'pendingEmail'])
      .executeTakeFirst()
    const signIns = await db.selectFrom('accounts').where('userId', '=', userId).select(['providerId', 'createdAt']).execute()
    const sessions = await db
      .selectFrom('sessions')
      .where('userId', '=', userId)
      .select(['createdAt', 'updatedAt', 'expiresAt', 'ipAddress', 'userAgent'])
      .orderBy('createdAt', 'desc')
      .execute()
    const formerUsernames = await db
      .selectFrom('formerUsernames')
      .where('userId', '=', userId)
      .select(['name', 'reservedUntil'])
      .orderBy('name')
      .execute()
    const google = await db
      .selectFrom('googleConnections')
      .where('userId', '=', userId)
      .select(['email', 'connectedAt', 'scope', 'state'])
      .executeTakeFirst()
    const googleSignIns = await db.selectFrom('googleSignIns').where('userId', '=', userId).select(['email', 'addedAt']).execute()
    const notices = await db
      .selectFrom('notices')
      .where('userId', '=', userId)
      .select(['notice', 'dismissedAt'])
      .orderBy('notice')
      .execute()
    const account = {
      username: displayUsername ?? username,
      formerUsernames,
      ...profile,
      hasPassword: signIns.some(({ providerId }) => providerId === 'credential'),
      ...(billing === 'stripe' && { plan: person?.plan ?? null, planChosenAt: person?.planChosenAt ?? null }),
      pendingEmail: person?.pendingEmail ?? null,
      googleSignIns,
      google: google ?? null,
      notices,
      sessions,
    }
    return [jsonFile('account.json', 'Your profile, your connected Google account and your active sessions.', account)]
  }
