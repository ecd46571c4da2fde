import { asServer } from '../../audit/origin.ts'
import { recordEvent } from '../../audit/record.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Clock } from '../../platform/clock.ts'
import { findByName } from '../find-by-name.ts'
import { endOthers } from '../hold-person.ts'

/**
 * Removes the second factor from an account whose owner can no longer use it, for example because it was encrypted with a lost key. Ends
 * all sessions, trusts no browser anymore, and notifies the owner by email.
 * @returns what to tell the requester
 * @throws Refusal 404 for nobody, 409 if it is ambiguous or there is none to reset
 */
export async function resetTwoFactor({ db, mailer, clock }: { db: Db; mailer: Mailer; clock: Clock }, name: string): Promise<string> {
  const userId = await findByName(db, name)
  if (userId === null) throw new Refusal(404, `There is no account "${name}".`)
  await db.transaction().execute(async (trx) => {
    await endOthers(trx, userId, null)
    const user = await trx
      .selectFrom('users')
      .where('id', '=', userId)
      .select(['email', 'emailVerified', 'username', 'twoFactorEnabled'])
      .forUpdate()
      .executeTakeFirst()
    const removed = await trx.deleteFrom('twoFactors').where('userId', '=', userId).executeTakeFirst()
    if (!user || (!user.twoFactorEnabled && removed.numDeletedRows === 0n))
      throw new Refusal(409, `${name} doesn't have two-factor authentication turned on.`)
    await trx.updateTable('users').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
    await asServer(() => recordEvent(trx, userId, { kind: 'two-factor-off', details: {} }, clock.now()))
    const email = { kind: 'two-factor-changed', username: user.username ?? '', enabled: false } as const
    await mailer.send(email, { account: user, transaction: trx })
  })
  return `${name} no longer has two-factor authentication and has been logged out everywhere. Ask them to set it up again.`
}
