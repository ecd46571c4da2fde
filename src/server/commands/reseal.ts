import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { channelName } from '../../contract/delivery/channels.ts'
import { authSecrets } from '../accounts/auth.ts'
import { resetContext, resetQueue } from '../accounts/jobs.ts'
import type { Db } from '../database/open.ts'
import { sealContext as destinationContext, waitingContext } from '../delivery/destinations.ts'
import { sealContext as formerContext } from '../database/former-keys.ts'
import { awaitedMailQueue, mailQueue, sealContext as mailContext } from '../mail/mailer.ts'
import { createVault, type SecretKeys } from '../platform/secrets.ts'
import { sealContext as shareContext } from '../reports/shares.ts'
import { accessContext, refreshContext } from '../sites/connection-store.ts'
import { revocationQueue } from '../sites/revocation-jobs.ts'

/** Where a sealed value is stored. */
type Place = {
  table: string
  /** The sealed text, as SQL. */
  value: RawBuilder<string>
  /** Replaces it. */
  set: (sealed: string) => RawBuilder<unknown>
  /** What the context is derived from, as SQL. */
  about?: RawBuilder<string>
  where?: RawBuilder<boolean>
  /** Null: sealed with a lost key. */
  open: (sealed: string, about: string) => string | null | Promise<string | null>
  seal: (plaintext: string, about: string) => string | Promise<string>
  /** The prefix of texts sealed with the newest key. */
  mark: string
}

export type Resealed = {
  resealed: number
  /** Sealed with keys unknown here: treated as absent wherever they are needed. */
  lost: number
}

const atATime = 500

/**
 * Reseals everything stored with the newest key. Each value separately, and only if unchanged since it was read: it can be killed at any
 * time and restarted, and servers that have all of these keys can run meanwhile.
 */
export async function resealAll(db: Db, keys: SecretKeys): Promise<Resealed> {
  const sum = { resealed: 0, lost: 0 }
  for (const place of places(keys)) {
    const { resealed, lost } = await resealPlace(db, place)
    sum.resealed += resealed
    sum.lost += lost
  }
  return sum
}

async function resealPlace(db: Db, { table, value, set, about, where, open, seal, mark }: Place): Promise<Resealed> {
  const lost: string[] = []
  let resealed = 0
  for (;;) {
    const { rows } = await sql<{ part: string; place: string; about: string; value: string }>`
      SELECT tableoid::text AS part, ctid::text AS place, ${about ?? sql`''`} AS about, ${value} AS value FROM ${sql.table(table)}
      WHERE ${value} IS NOT NULL AND NOT starts_with(${value}, ${mark}) AND ${value} <> ALL(${lost}::text[]) AND ${where ?? sql`true`}
      LIMIT ${atATime}`.execute(db)
    if (rows.length === 0) return { resealed, lost: lost.length }
    for (const row of rows) {
      const plaintext = await open(row.value, row.about)
      if (plaintext === null) {
        lost.push(row.value)
        continue
      }
      const { numAffectedRows } = await sql`UPDATE ${sql.table(table)} SET ${set(await seal(plaintext, row.about))}
        WHERE tableoid = ${row.part}::oid AND ctid = ${row.place}::tid AND ${value} = ${row.value}`.execute(db)
      resealed += Number(numAffectedRows ?? 0n)
    }
  }
}

function places(keys: SecretKeys): Place[] {
  const vault = createVault(...keys)
  const inVault = (context: (about: string) => string): Pick<Place, 'open' | 'seal' | 'mark'> => ({
    open: (sealed, about) => vault.find(sealed, context(about)),
    seal: (plaintext, about) => vault.seal(plaintext, context(about)),
    mark: vault.mark,
  })
  const column = (table: string, name: string, about: string | null, context: (about: string) => string): Place => ({
    table,
    value: sql.ref(name),
    set: (sealed) => sql`${sql.ref(name)} = ${sealed}`,
    ...(about !== null && { about: sql.raw(about) }),
    ...inVault(context),
  })
  const job = (queue: string, field: string, context: (about: string) => string): Place => ({
    table: 'jobs.job',
    value: sql`data ->> ${sql.lit(field)}`,
    set: (sealed) => sql`data = jsonb_set(data::jsonb, ${sql.lit(`{${field}}`)}, to_jsonb(${sealed}::text))`,
    about: sql`coalesce(data ->> 'userId', '')`,
    where: sql`name = ${queue}`,
    ...inVault(context),
  })
  const ofChannel =
    (context: typeof destinationContext) =>
    (about: string): string => {
      const [channel = '', ...userId] = about.split(' ')
      return context(userId.join(' '), channelName.parse(channel))
    }
  const channel = `channel || ' ' || user_id`
  return [
    column('google_connections', 'refresh_token', 'user_id', refreshContext),
    column('google_connections', 'access_token', 'user_id', accessContext),
    column('delivery_channels', 'destination', channel, ofChannel(destinationContext)),
    column('delivery_channels', 'waiting', channel, ofChannel(waitingContext)),
    column('report_shares', 'token_sealed', null, () => shareContext),
    column('former_keys', 'sealed', 'purpose', formerContext),
    job(mailQueue, 'sealed', () => mailContext),
    job(awaitedMailQueue, 'sealed', () => mailContext),
    job(resetQueue, 'sealed', () => resetContext),
    job(revocationQueue, 'sealedToken', refreshContext),
    ...['secret', 'backup_codes'].map((name) => secondFactor(name, keys)),
  ]
}

/** better-auth seals these itself, and adds the key's number. */
function secondFactor(name: string, keys: SecretKeys): Place {
  const { secrets, secret } = authSecrets(keys)
  const [newest] = secrets
  const currentVersion = z.number().parse(newest?.version)
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion, legacySecret: secret }
  return {
    table: 'two_factors',
    value: sql.ref(name),
    set: (sealed) => sql`${sql.ref(name)} = ${sealed}`,
    open: (data) => symmetricDecrypt({ key, data }).catch(() => null),
    seal: (data) => symmetricEncrypt({ key, data }),
    mark: `$ba$${currentVersion}$`,
  }
}
