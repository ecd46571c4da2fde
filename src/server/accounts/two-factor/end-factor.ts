import type { Db } from '../../database/open.ts'

/** A second factor turned on after a moment may be somebody else's, and would lock the owner out. @returns whether there was one */
export async function endSecondFactorSince(trx: Db, userId: string, moment: Date): Promise<boolean> {
  await forgetUnconfirmedFactor(trx, userId)
  const isOld = await trx
    .selectFrom('twoFactors')
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('verifiedAt', 'is', null), eb('verifiedAt', '<=', moment)]))
    .select('id')
    .executeTakeFirst()
  return isOld ? false : endSecondFactor(trx, userId)
}

/** Whoever prepared a second factor and kept its secret can't confirm it later. */
export async function forgetUnconfirmedFactor(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('twoFactors').where('userId', '=', userId).where('verified', '=', false).execute()
}

/** @returns whether there was one */
export async function endSecondFactor(trx: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('twoFactors').where('userId', '=', userId).executeTakeFirst()
  await trx.updateTable('users').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
  return numDeletedRows > 0n
}
