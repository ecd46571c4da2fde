import { z } from 'zod'
import { Refusal } from '../common/errors.ts'

const refusal = z.object({ code: z.string().optional().catch(undefined) }).catch({ code: undefined })

/** better-auth's refusals in our words; anything unlisted is a bug. */
const words: Record<string, [status: Refusal['status'], message: string, field: string]> = {
  INVALID_PASSWORD: [403, 'Incorrect password.', 'password'],
  INVALID_CODE: [401, 'Wrong code. Enter the one your app shows now.', 'code'],
  INVALID_BACKUP_CODE: [401, 'This recovery code is wrong or was already used.', 'code'],
  INVALID_TWO_FACTOR_COOKIE: [401, 'Your login has expired. Please log in again.', 'login'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: [429, 'Too many wrong codes. Please log in again.', 'login'],
  TOTP_ALREADY_ENABLED: [409, 'Two-factor authentication is already on.', 'code'],
  TOTP_NOT_ENABLED: [409, "Two-factor authentication isn't set up.", 'code'],
  TWO_FACTOR_NOT_ENABLED: [409, "Two-factor authentication isn't set up.", 'code'],
  BACKUP_CODES_NOT_ENABLED: [409, "Two-factor authentication isn't set up.", 'code'],
  INVALID_TOKEN: [400, 'This link has expired or was already used. Please request a new one.', 'token'],
}

/** better-auth's answer, and the cookies to set. @throws Refusal worded for people */
export async function authAnswer<T extends z.ZodType>(answer: Response, shape: T): Promise<{ body: z.infer<T>; cookies: string[] }> {
  const body: unknown = await answer.json()
  if (answer.ok) return { body: shape.parse(body), cookies: answer.headers.getSetCookie() }
  const { code } = refusal.parse(body)
  const known = code === undefined ? undefined : words[code]
  if (!known) throw new Error(`better-auth answered ${answer.status} ${code ?? ''}`)
  throw new Refusal(...known)
}
