import { z } from 'zod'
import type { Db } from '../database/open.ts'
import type { EventBus } from '../common/events.ts'
import type { GoogleOAuth } from '../google/oauth.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { ConnectionStore, Revocation } from './connection-store.ts'

export const revocationQueue = 'google-revocations'
const job = z.object({ userId: z.string(), googleSub: z.string(), sealedToken: z.string() })
/** Time for the immediate attempt on disconnecting before the job starts. */
const atOnceMs = 10_000

export async function defineRevocations(queue: Queue): Promise<void> {
  // Google may be down for a while: the last attempt is about nine hours after the first.
  await queue.defineQueue(revocationQueue, { retryLimit: 15, retryDelay: 2, retryBackoff: true, retryDelayMax: 4 * 3600 })
}

export type RevocationDeps = { queue: Queue; db: Db; connectionStore: ConnectionStore; oauth: GoogleOAuth; log: Log }

/** Revokes at Google the permission of an account no longer connected here. */
export function createRevocations({ queue, db, connectionStore, oauth, log }: RevocationDeps) {
  /** @throws while Google doesn't answer */
  async function revoke({ userId, googleSub, sealedToken }: Revocation): Promise<void> {
    // Google revokes everything it gave this installation for that Google account, not one token: anyone else who connected it, or
    // reconnected it meanwhile, would be cut off.
    const inUse = await db.selectFrom('googleConnections').where('googleSub', '=', googleSub).select('userId').executeTakeFirst()
    if (inUse) return
    const token = connectionStore.openRefreshToken(userId, sealedToken)
    if (token === null) return log.warn('a Google token could not be revoked: the SECRET_KEY it was encrypted with is lost')
    const answer = await oauth.revoke(token)
    if (answer.ok) return
    const { kind, detail } = answer.problem
    if (kind === 'unavailable' || kind === 'rate_limited') throw new Error(`Google did not accept the revocation: ${detail}`)
    log.debug({ detail }, 'Google no longer recognizes a token that should be revoked')
  }

  return {
    /** Deleting an account also revokes its permission at Google. */
    withAccount(events: EventBus): void {
      events.on('accountDeleting', async ({ userId, transaction }) => {
        const held = await transaction
          .deleteFrom('googleConnections')
          .where('userId', '=', userId)
          .returning(['googleSub', 'refreshToken as sealedToken'])
          .executeTakeFirst()
        if (held) await queue.send(revocationQueue, { userId, ...held }, { transaction })
      })
    },

    /** Ensures that it is revoked, whatever happens to `atOnce`. Call it in the transaction that deletes the token. */
    async later(held: Revocation, transaction: Db): Promise<void> {
      await queue.send(revocationQueue, held, { transaction, startAfter: new Date(Date.now() + atOnceMs) })
    },

    /** Revokes it before the disconnecting person can reconnect; the job then finds a token that Google no longer knows. */
    async atOnce(held: Revocation): Promise<void> {
      await revoke(held).catch((error: unknown) => log.warn({ err: error }, 'Google did not confirm the revocation; will retry'))
    },

    work: (): Promise<void> => queue.work(revocationQueue, {}, ({ data }) => revoke(job.parse(data))),
  }
}
export type Revocations = ReturnType<typeof createRevocations>
