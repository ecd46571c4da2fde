import { symmetricDecrypt } from 'better-auth/crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { TwoFactorSetup } from '../../../contract/account/profile.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { Auth } from '../auth.ts'
import { authAnswer } from '../auth-answer.ts'
import { type Caller, headersOf } from '../caller.ts'
import type { Exclusively } from '../exclusively.ts'
import { endOthers, replaceToken, type Requester } from '../hold-person.ts'
import { hashBefore } from '../passwords/hash-before.ts'
import type { NewToken } from '../session-reader.ts'

const enabled = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })
const newCodes = z.object({ backupCodes: z.array(z.string()) })
type Proof = { password?: string | undefined }

const bodyOf = ({ password }: Proof) => (password === undefined ? {} : { password })

/**
 * A factor encrypted with a lost key doesn't count as passed: only the operator may remove it.
 * @throws Refusal 409
 */
export async function mustBeReadable(auth: Auth, db: Db, userId: string): Promise<void> {
  const row = await db.selectFrom('twoFactors').where('userId', '=', userId).select('secret').executeTakeFirst()
  if (!row) return
  const { secretConfig: key } = await auth.$context
  await symmetricDecrypt({ key, data: row.secret }).catch(() => {
    throw new Refusal(
      409,
      "Your code can't be checked because its encryption key was lost. Ask your administrator to reset two-factor authentication (npm run two-factor:reset).",
    )
  })
}

type TwoFactorDeps = {
  auth: Auth
  db: Db
  exclusively: Exclusively
  tokenOf: (caller: Caller) => string | null
  /** The token of the session that these cookies start. */
  tokenSetBy: (cookies: readonly string[]) => NewToken | null
  cookiesOf: (token: NewToken, caller: Caller) => Promise<string[]>
}

/** Cookies of a login that still needs its second step, or needs none. */
export const isSecondFactorCookie = (name: string): boolean => name.endsWith('.two_factor') || name.endsWith('.trust_device')

/** Only the session: without one, better-auth would act on somebody's login in progress. */
const sessionOf = (caller: Caller): Headers => headersOf(caller, (name) => !isSecondFactorCookie(name))

/** The second factor of the session's person. The password is required again if there is one. */
export function createTwoFactor({ auth, db, exclusively, tokenOf, tokenSetBy, cookiesOf }: TwoFactorDeps) {
  const endOthersThan = (userId: string, cookies: readonly string[]): Promise<boolean> =>
    db.transaction().execute((trx) => endOthers(trx, userId, tokenSetBy(cookies)))

  const factor = {
    /** A secret for the authenticator app; active once `confirm` has received a code. */
    async setUp(proof: Proof, caller: Caller): Promise<TwoFactorSetup> {
      const answer = await auth.api.enableTwoFactor({
        body: { ...bodyOf(proof), method: 'totp' },
        headers: sessionOf(caller),
        asResponse: true,
      })
      const { body } = await authAnswer(answer, enabled)
      const totpSecret = new URL(body.totpURI).searchParams.get('secret')
      if (totpSecret === null) throw new Error('The authenticator URI contains no secret')
      return { uri: body.totpURI, secret: totpSecret, recoveryCodes: body.backupCodes }
    },

    /** @returns the renewed session's cookies */
    async confirm(userId: string, code: string, caller: Caller): Promise<string[]> {
      // A code from a factor that is on would count as turning it on again: that ends all sessions, and could be undone by email.
      const isOn = db.selectFrom('twoFactors').where('userId', '=', userId).where('verified', '=', true).select('id')
      if (await isOn.executeTakeFirst()) throw new Refusal(409, 'Two-factor authentication is already on.')
      const answer = await auth.api.verifyTOTP({ body: { code }, headers: sessionOf(caller), asResponse: true })
      // A signed-in person made a typo, and need not log in again.
      if (answer.status === 401) throw new Refusal(400, 'Wrong code. Enter the one your app shows now.', 'code')
      const { cookies } = await authAnswer(answer, z.unknown())
      await db
        .updateTable('twoFactors')
        .set({ verifiedAt: sql<Date>`now()` })
        .where('userId', '=', userId)
        .execute()
      await endOthersThan(userId, cookies)
      return cookies
    },

    /** New recovery codes and cookies; the old codes become invalid, and so does every other session. */
    async renewRecoveryCodes(person: Requester, proof: Proof, caller: Caller): Promise<{ codes: string[]; cookies: string[] }> {
      const answer = await auth.api.generateBackupCodes({ body: bodyOf(proof), headers: sessionOf(caller), asResponse: true })
      const { backupCodes } = (await authAnswer(answer, newCodes)).body
      const token = await db.transaction().execute(async (trx) => {
        const renewed = await replaceToken(trx, person, tokenOf(caller))
        await endOthers(trx, person.id, renewed)
        return renewed
      })
      return { codes: backupCodes, cookies: await cookiesOf(token, caller) }
    },

    /** @returns the renewed session's cookies */
    async switchOff(userId: string, proof: Proof, caller: Caller): Promise<string[]> {
      const answer = await auth.api.disableTwoFactor({ body: bodyOf(proof), headers: sessionOf(caller), asResponse: true })
      const { cookies } = await authAnswer(answer, z.unknown())
      await endOthersThan(userId, cookies)
      return cookies
    },
  }

  // Each reads the password, and begins or ends sessions: none may overlap with a reset of that password.
  async function alone<T>(userId: string, { password }: Proof, work: () => Promise<T>): Promise<T> {
    return exclusively(userId, work, await hashBefore(auth, userId, password === undefined ? {} : { current: password }))
  }
  return {
    setUp: (userId: string, proof: Proof, caller: Caller) => alone(userId, proof, () => factor.setUp(proof, caller)),
    confirm: (userId: string, code: string, caller: Caller) => exclusively(userId, () => factor.confirm(userId, code, caller)),
    renewRecoveryCodes: (person: Requester, proof: Proof, caller: Caller) =>
      alone(person.id, proof, () => factor.renewRecoveryCodes(person, proof, caller)),
    switchOff: (userId: string, proof: Proof, caller: Caller) => alone(userId, proof, () => factor.switchOff(userId, proof, caller)),
  }
}
