import { symmetricDecrypt } from 'better-auth/crypto'
import { z } from 'zod'
import type { TwoFactorSetup } from '../../../contract/account.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { Auth } from '../auth.ts'
import { authAnswer } from '../auth-answer.ts'
import { type Caller, headersOf } from '../caller.ts'
import { signedTokenSet } from '../session-reader.ts'

const enabled = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })
const newCodes = z.object({ backupCodes: z.array(z.string()) })
type Proof = { password?: string | undefined }

const bodyOf = ({ password }: Proof) => (password === undefined ? {} : { password })

/**
 * A factor that was sealed with a key that is lost does not count as passed: only whoever runs the installation may take it away.
 * @throws Refusal 409
 */
export async function mustBeReadable(auth: Auth, db: Db, userId: string): Promise<void> {
  const row = await db.selectFrom('twoFactors').where('userId', '=', userId).select('secret').executeTakeFirst()
  if (!row) return
  const { secretConfig: key } = await auth.$context
  await symmetricDecrypt({ key, data: row.secret }).catch(() => {
    throw new Refusal(
      409,
      "Your second factor can't be checked because its encryption key is lost. Ask your administrator to reset it (npm run two-factor:reset).",
    )
  })
}

type TwoFactorDeps = { auth: Auth; db: Db; secret: string; sessionCookie: string }

/** The second factor of the person whose session the caller holds. The password is asked for again where there is one. */
export function createTwoFactor({ auth, db, secret, sessionCookie }: TwoFactorDeps) {
  /** Ends the person's other sessions, trusted browsers and logins in progress: they were opened under the old rules. */
  async function endOthers(userId: string, cookies: readonly string[]): Promise<void> {
    const own = signedTokenSet(cookies, sessionCookie, secret)
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('verifications').where('value', '=', userId).execute()
      const others = trx.deleteFrom('sessions').where('userId', '=', userId)
      await (own === null ? others : others.where('token', '<>', own)).execute()
    })
  }

  return {
    /** A secret for the authenticator app; in force once `confirm` has seen a code. */
    async setUp(proof: Proof, caller: Caller): Promise<TwoFactorSetup> {
      const answer = await auth.api.enableTwoFactor({
        body: { ...bodyOf(proof), method: 'totp' },
        headers: headersOf(caller),
        asResponse: true,
      })
      const { body } = await authAnswer(answer, enabled)
      const totpSecret = new URL(body.totpURI).searchParams.get('secret')
      if (totpSecret === null) throw new Error('The address for authenticator apps holds no secret')
      return { uri: body.totpURI, secret: totpSecret, recoveryCodes: body.backupCodes }
    },

    /** @returns the cookies of the renewed session */
    async confirm(userId: string, code: string, caller: Caller): Promise<string[]> {
      const answer = await auth.api.verifyTOTP({ body: { code }, headers: headersOf(caller), asResponse: true })
      // Whoever is signed in has mistyped, and need not log in again.
      if (answer.status === 401) throw new Refusal(400, 'Wrong code. Enter the one your app shows now.', 'code')
      const { cookies } = await authAnswer(answer, z.unknown())
      await endOthers(userId, cookies)
      return cookies
    },

    /** New recovery codes; the old ones are worth nothing from then on. */
    async renewRecoveryCodes(proof: Proof, caller: Caller): Promise<string[]> {
      const answer = await auth.api.generateBackupCodes({ body: bodyOf(proof), headers: headersOf(caller), asResponse: true })
      return (await authAnswer(answer, newCodes)).body.backupCodes
    },

    /** @returns the cookies of the renewed session */
    async switchOff(userId: string, proof: Proof, caller: Caller): Promise<string[]> {
      const answer = await auth.api.disableTwoFactor({ body: bodyOf(proof), headers: headersOf(caller), asResponse: true })
      const { cookies } = await authAnswer(answer, z.unknown())
      await endOthers(userId, cookies)
      return cookies
    },
  }
}
