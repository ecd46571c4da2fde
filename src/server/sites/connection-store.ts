import { sql } from 'kysely'
import { recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import type { GoogleIdentity, Grant } from '../google/oauth.ts'
import type { Vault } from '../platform/secrets.ts'

/** The Google account with the synced data. */
export type ConnectedAccount = Pick<GoogleIdentity, 'sub' | 'email'>

export type ConnectionProblem = 'token_revoked' | 'scope_missing' | 'api_disabled'

/** A Google permission to revoke; its token as stored: encrypted. */
export type Revocation = { userId: string; googleSub: string; sealedToken: string }

export type StoredConnection = {
  refreshToken: string
  accessToken: string | null
  accessTokenExpiresAt: Date | null
  state: 'ok' | ConnectionProblem
}

/** Binds encrypted data to its use (platform/secrets.ts). */
export const refreshContext = (userId: string): string => `google-refresh-token:${userId}`
export const accessContext = (userId: string): string => `google-access-token:${userId}`

/** Google tokens at rest: encrypted, bound to their person. */
export function createConnectionStore(db: Db, vault: Vault) {
  return {
    /** A stored refresh token, decrypted; null if it was encrypted with a lost key. */
    openRefreshToken: (userId: string, sealed: string): string | null => vault.find(sealed, refreshContext(userId)),

    /** Anything encrypted with a lost key counts as missing: reconnecting brings new tokens. */
    async load(userId: string): Promise<StoredConnection | null> {
      const row = await db
        .selectFrom('googleConnections')
        .where('userId', '=', userId)
        .select(['refreshToken', 'accessToken', 'accessTokenExpiresAt', 'state'])
        .executeTakeFirst()
      const refreshToken = row ? vault.find(row.refreshToken, refreshContext(userId)) : null
      if (!row || refreshToken === null) return null
      return { ...row, refreshToken, accessToken: row.accessToken === null ? null : vault.find(row.accessToken, accessContext(userId)) }
    },

    /** Stores the result of consent; `refreshToken` is the one we already had if Google sent none. */
    async save(
      userId: string,
      identity: ConnectedAccount,
      grant: Grant & { refreshToken: string },
      now: Date,
      transaction: Db,
    ): Promise<void> {
      const values = {
        googleSub: identity.sub,
        email: identity.email,
        refreshToken: vault.seal(grant.refreshToken, refreshContext(userId)),
        accessToken: vault.seal(grant.accessToken, accessContext(userId)),
        accessTokenExpiresAt: grant.accessTokenExpiresAt,
        scope: grant.scope,
        state: 'ok' as const,
        connectedAt: sql<Date>`clock_timestamp()`,
        updatedAt: now,
      }
      await transaction
        .insertInto('googleConnections')
        .values({ userId, ...values })
        .onConflict((oc) => oc.column('userId').doUpdateSet(values))
        .execute()
      await recordEvent(transaction, userId, { kind: 'google-connected', details: { account: identity.email } }, now)
    },

    /** The connected account; null without one. */
    async googleSub(userId: string): Promise<string | null> {
      const row = await db.selectFrom('googleConnections').where('userId', '=', userId).select('googleSub').executeTakeFirst()
      return row?.googleSub ?? null
    },

    /** Which of these people have a connected account. */
    async connected(userIds: readonly string[]): Promise<Map<string, true>> {
      const rows = await db
        .selectFrom('googleConnections')
        .where(sql<boolean>`user_id = any(${[...userIds]})`)
        .select('userId')
        .execute()
      return new Map(rows.map(({ userId }) => [userId, true]))
    },

    /** Who connected this Google account; the latest if there are several. */
    async ownerOf(googleSub: string): Promise<string | null> {
      const row = await db
        .selectFrom('googleConnections')
        .where('googleSub', '=', googleSub)
        .select('userId')
        .orderBy('connectedAt', 'desc')
        .executeTakeFirst()
      return row?.userId ?? null
    },

    /** Stores a refresh token's renewal; returns false if that token was replaced, for example because another account was connected meanwhile. */
    async renewed(userId: string, refreshToken: string, grant: Grant, now: Date): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const held = trx.selectFrom('googleConnections').where('userId', '=', userId).select('refreshToken')
        const row = await held.forUpdate().executeTakeFirst()
        if (!row || vault.find(row.refreshToken, refreshContext(userId)) !== refreshToken) return false
        await trx
          .updateTable('googleConnections')
          .set({
            accessToken: vault.seal(grant.accessToken, accessContext(userId)),
            accessTokenExpiresAt: grant.accessTokenExpiresAt,
            updatedAt: now,
            ...(grant.refreshToken && { refreshToken: vault.seal(grant.refreshToken, refreshContext(userId)) }),
          })
          .where('userId', '=', userId)
          .execute()
        return true
      })
    },

    /** Forgets this access token; a replacement stays. */
    async forgetAccessToken(userId: string, token: string, now: Date): Promise<void> {
      const row = await db.selectFrom('googleConnections').where('userId', '=', userId).select('accessToken').executeTakeFirst()
      if (!row?.accessToken || vault.find(row.accessToken, accessContext(userId)) !== token) return
      await db
        .updateTable('googleConnections')
        .set({ accessToken: null, updatedAt: now })
        .where('userId', '=', userId)
        .where('accessToken', '=', row.accessToken)
        .execute()
    },

    async noteState(userId: string, state: 'ok' | ConnectionProblem, now: Date): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const changed = await trx
          .updateTable('googleConnections')
          .set({ state, updatedAt: now })
          .where('userId', '=', userId)
          .where('state', '<>', state)
          .executeTakeFirst()
        if (state !== 'ok' && changed.numUpdatedRows > 0n)
          await recordEvent(trx, userId, { kind: 'google-lost', details: { because: state } }, now)
      })
    },

    /**
     * @param kept an account to keep if it is the connected one
     * @returns what is left to revoke at Google; null if nothing was connected
     */
    async remove(userId: string, now: Date, transaction: Db, kept: string | null = null): Promise<Revocation | null> {
      const removed = await transaction
        .deleteFrom('googleConnections')
        .where('userId', '=', userId)
        .where('googleSub', 'is distinct from', kept)
        .returning(['email', 'googleSub', 'refreshToken as sealedToken'])
        .executeTakeFirst()
      if (!removed) return null
      const { email, ...held } = removed
      await recordEvent(transaction, userId, { kind: 'google-disconnected', details: { account: email } }, now)
      return { userId, ...held }
    },
  }
}
export type ConnectionStore = ReturnType<typeof createConnectionStore>
