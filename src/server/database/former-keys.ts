import type { Db } from './open.ts'
import type { Clock } from '../platform/clock.ts'
import { deriveKey, type SecretKeys, type Vault } from '../platform/secrets.ts'
import type { SigningKeys } from '../platform/signed-token.ts'

/** Purposes of signed links that have to work while their email is kept, and of hashes that have to be found again. */
const lastingPurposes = ['unsubscribe', 'report-unsubscribe', 'alert-verdict', 'report-addresses'] as const
type LastingPurpose = (typeof lastingPurposes)[number]

export const sealContext = (purpose: string): string => `former-key:${purpose}`

/**
 * How long a replaced key verifies links: whoever saw it can sign some. Reports come at least every month, so whoever still gets emails has
 * newer links by then.
 */
export const formerKeyDays = 60
const dayMs = 24 * 3_600_000

async function formerOf(db: Db, vault: Vault, purpose: LastingPurpose): Promise<{ key: Buffer; until: Date }[]> {
  const rows = await db
    .selectFrom('formerKeys')
    .where('purpose', '=', purpose)
    .select(['sealed', 'createdAt'])
    .orderBy('id', 'desc')
    .execute()
  return rows.flatMap(({ sealed, createdAt }) => {
    const text = vault.find(sealed, sealContext(purpose))
    return text === null ? [] : [{ key: Buffer.from(text, 'base64url'), until: new Date(createdAt.getTime() + formerKeyDays * dayMs) }]
  })
}

type Known = { db: Db; vault: Vault; keys: SecretKeys; clock: Clock }

/** The signing keys of this purpose, including those derived from earlier secret keys, for as long as these verify links. */
export async function signingKeys({ db, vault, keys, clock }: Known, purpose: LastingPurpose): Promise<SigningKeys> {
  const [current, ...before] = keys
  const former = await formerOf(db, vault, purpose)
  return [
    deriveKey(current, purpose),
    ...before.map((key) => ({ key: deriveKey(key, purpose), isOver: () => false })),
    ...former.map(({ key, until }) => ({ key, isOver: () => clock.now() > until })),
  ]
}

/** The keys under which this purpose's hashes are stored: new ones by the first, older ones by one of the others. */
export async function hashKeys({ db, vault, keys }: Known, purpose: LastingPurpose): Promise<readonly [Buffer, ...Buffer[]]> {
  const [current, ...before] = keys
  const former = await formerOf(db, vault, purpose)
  return [deriveKey(current, purpose), ...before.map((key) => deriveKey(key, purpose)), ...former.map(({ key }) => key)]
}

/** Keeps what is needed from keys about to be forgotten. Repeating it changes nothing. */
export async function keepFormer(db: Db, vault: Vault, [, ...before]: SecretKeys): Promise<void> {
  for (const purpose of lastingPurposes) {
    const known = await formerOf(db, vault, purpose)
    const missing = before.map((key) => deriveKey(key, purpose)).filter((key) => !known.some((each) => each.key.equals(key)))
    const rows = missing.map((key) => ({ purpose, sealed: vault.seal(key.toString('base64url'), sealContext(purpose)) }))
    if (rows.length > 0) await db.insertInto('formerKeys').values(rows).execute()
  }
}
