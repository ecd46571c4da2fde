import { symmetricEncrypt } from 'better-auth/crypto'
import { recordEvent } from '../../audit/record.ts'
import type { Db } from '../../database/open.ts'
import type { Auth } from '../auth.ts'

type Ending = { auth: Auth; userId: string; now: Date }

/**
 * A second factor turned on after a moment may be somebody else's, and would lock the owner out. An older one stays, without its recovery
 * codes, which somebody may have renewed or copied. @returns whether there was one to end
 */
export async function endSecondFactorSince(trx: Db, moment: Date, ending: Ending): Promise<boolean> {
  const { userId } = ending
  await forgetUnconfirmedFactor(trx, userId)
  const isOld = await trx
    .selectFrom('twoFactors')
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('verifiedAt', 'is', null), eb('verifiedAt', '<=', moment)]))
    .select('id')
    .executeTakeFirst()
  if (!isOld) return endSecondFactor(trx, userId)
  await voidRecoveryCodes(trx, ending)
  return false
}

/** From now on only the authenticator app's codes count, until its owner creates new recovery codes. */
export async function voidRecoveryCodes(trx: Db, { auth, userId, now }: Ending): Promise<void> {
  const { secretConfig: key } = await auth.$context
  const backupCodes = await symmetricEncrypt({ key, data: JSON.stringify([]) })
  const voided = await trx.updateTable('twoFactors').set({ backupCodes }).where('userId', '=', userId).executeTakeFirst()
  if (voided.numUpdatedRows > 0n) await recordEvent(trx, userId, { kind: 'recovery-codes-ended', details: {} }, now)
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
