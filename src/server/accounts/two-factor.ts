import { symmetricDecrypt } from 'better-auth/crypto'
import { z } from 'zod'
import type { TwoFactorSetup } from '../../contract/account.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../errors.ts'
import type { Auth } from './auth.ts'
import { authAnswer } from './auth-answer.ts'
import { type Caller, headersOf } from './caller.ts'

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
      'Your second factor can no longer be checked: the key that protected it is gone. Whoever runs this installation can reset it for you (npm run two-factor:reset).',
    )
  })
}

/** The second factor of the person whose session the caller holds. The password is asked for again where there is one. */
export function createTwoFactor(auth: Auth) {
  return {
    /** A secret for the authenticator app; in force once `confirm` has seen a code. */
    async setUp(proof: Proof, caller: Caller): Promise<TwoFactorSetup> {
      const answer = await auth.api.enableTwoFactor({
        body: { ...bodyOf(proof), method: 'totp' },
        headers: headersOf(caller),
        asResponse: true,
      })
      const { body } = await authAnswer(answer, enabled)
      const secret = new URL(body.totpURI).searchParams.get('secret')
      if (secret === null) throw new Error('The address for authenticator apps holds no secret')
      return { uri: body.totpURI, secret, recoveryCodes: body.backupCodes }
    },

    /** @returns the cookies of the renewed session */
    async confirm(code: string, caller: Caller): Promise<string[]> {
      const answer = await auth.api.verifyTOTP({ body: { code }, headers: headersOf(caller), asResponse: true })
      // Whoever is signed in has mistyped, and need not log in again.
      if (answer.status === 401) throw new Refusal(400, 'This code is not right. Take the one your app shows now.', 'code')
      return (await authAnswer(answer, z.unknown())).cookies
    },

    /** New recovery codes; the old ones are worth nothing from then on. */
    async renewRecoveryCodes(proof: Proof, caller: Caller): Promise<string[]> {
      const answer = await auth.api.generateBackupCodes({ body: bodyOf(proof), headers: headersOf(caller), asResponse: true })
      return (await authAnswer(answer, newCodes)).body.backupCodes
    },

    /** @returns the cookies of the renewed session */
    async switchOff(proof: Proof, caller: Caller): Promise<string[]> {
      const answer = await auth.api.disableTwoFactor({ body: bodyOf(proof), headers: headersOf(caller), asResponse: true })
      return (await authAnswer(answer, z.unknown())).cookies
    },
  }
}
