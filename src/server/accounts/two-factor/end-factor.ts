import type { Db } from '../../database/open.ts'

/** A second factor turned on after a moment may be somebody else's, and would lock the owner out. */
export async function endSecondFactorSince(trx: Db, userId: string, moment: Date): Promise<void> {
  const isNew = await trx
    .selectFrom('auditEvents')
    .where('userId', '=', userId)
    .where('kind', '=', 'two-factor-on')
    .where('at', '>', moment)
    .select('id')
    .executeTakeFirst()
  if (isNew) await endSecondFactor(trx, userId)
  await forgetUnconfirmedFactor(trx, userId)
}

/** Whoever prepared a second factor and kept its secret can't confirm it later. */
export async function forgetUnconfirmedFactor(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('twoFactors').where('userId', '=', userId).where('verified', '=', false).execute()
}

export async function endSecondFactor(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('twoFactors').where('userId', '=', userId).execute()
  await trx.updateTable('users').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
}
