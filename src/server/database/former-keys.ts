import type { Db } from './open.ts'
import { deriveKey, type SecretKeys, type Vault } from '../platform/secrets.ts'
import type { SigningKeys } from '../platform/signed-token.ts'

/** What links are signed for that have to work as long as the mail they are in is kept. */
export const lastingPurposes = ['unsubscribe', 'report-unsubscribe', 'alert-verdict'] as const
export type LastingPurpose = (typeof lastingPurposes)[number]

export const sealContext = (purpose: string): string => `former-key:${purpose}`

async function formerOf(db: Db, vault: Vault, purpose: LastingPurpose): Promise<Buffer[]> {
  const rows = await db.selectFrom('formerKeys').where('purpose', '=', purpose).select('sealed').orderBy('id', 'desc').execute()
  return rows.flatMap(({ sealed }) => vault.find(sealed, sealContext(purpose)) ?? []).map((text) => Buffer.from(text, 'base64url'))
}

/** What links of this purpose are signed with, and what they were signed with under keys of earlier times. */
export async function signingKeys(db: Db, vault: Vault, [current, ...before]: SecretKeys, purpose: LastingPurpose): Promise<SigningKeys> {
  return [deriveKey(current, purpose), ...before.map((key) => deriveKey(key, purpose)), ...(await formerOf(db, vault, purpose))]
}

/** Keeps what is needed of keys that are about to be forgotten. Doing it twice changes nothing. */
export async function keepFormer(db: Db, vault: Vault, [, ...before]: SecretKeys): Promise<void> {
  for (const purpose of lastingPurposes) {
    const known = await formerOf(db, vault, purpose)
    const missing = before.map((key) => deriveKey(key, purpose)).filter((key) => !known.some((each) => each.equals(key)))
    const rows = missing.map((key) => ({ purpose, sealed: vault.seal(key.toString('base64url'), sealContext(purpose)) }))
    if (rows.length > 0) await db.insertInto('formerKeys').values(rows).execute()
  }
}
