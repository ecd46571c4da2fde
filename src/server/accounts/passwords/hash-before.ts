import type { Auth } from '../auth.ts'
import type { Hashed } from './password-hashing.ts'

/**
 * Verifies the person's password and hashes the next one, as far as given, before work that must not wait for either (exclusively.ts).
 * @throws Refusal 429
 */
export async function hashBefore(auth: Auth, userId: string, { current, next }: { current?: string; next?: string }): Promise<Hashed> {
  const { internalAdapter, password } = await auth.$context
  const hash = current === undefined ? undefined : (await internalAdapter.findCredentialAccount(userId))?.password
  return {
    ...(current !== undefined &&
      typeof hash === 'string' && { checked: { hash, password: current, right: await password.verify({ hash, password: current }) } }),
    ...(next !== undefined && { made: { password: next, hash: await password.hash(next) } }),
  }
}
