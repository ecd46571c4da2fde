import { z } from 'zod'
import type { Db } from '../database/open.ts'
import type { EventBus } from '../common/events.ts'
import type { GoogleOAuth } from '../google/oauth.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { ConnectionStore, Revocation } from './connection-store.ts'

export const revocationQueue = 'google-revocations'
const job = z.object({ userId: z.string(), googleSub: z.string(), sealedToken: z.string() })
/** What whoever disconnects does at once comes before the job. */
const atOnceMs = 10_000

export async function defineRevocations(queue: Queue): Promise<void> {
  // Google may be away for a while: the last attempt is made some nine hours after the first.
  await queue.defineQueue(revocationQueue, { retryLimit: 15, retryDelay: 2, retryBackoff: true, retryDelayMax: 4 * 3600 })
}

export type RevocationDeps = { queue: Queue; db: Db; connectionStore: ConnectionStore; oauth: GoogleOAuth; log: Log }

/** Takes back at Google the permission of an account that is connected here no longer. */
export function createRevocations({ queue, db, connectionStore, oauth, log }: RevocationDeps) {
  /** @throws while Google does not answer */
  async function revoke({ userId, googleSub, sealedToken }: Revocation): Promise<void> {
    // Google takes back what it gave this installation for that Google account, not one token: whoever else connected
    // it, or connected it anew meanwhile, would be cut off.
    const inUse = await db.selectFrom('googleConnections').where('googleSub', '=', googleSub).select('userId').executeTakeFirst()
    if (inUse) return
    const token = connectionStore.openRefreshToken(userId, sealedToken)
    if (token === null) return log.warn('a Google token was sealed with a SECRET_KEY that is lost: Google was not asked to take it back')
    const answer = await oauth.revoke(token)
    if (answer.ok) return
    const { kind, detail } = answer.problem
    if (kind === 'unavailable' || kind === 'rate_limited') throw new Error(`Google did not take the revocation: ${detail}`)
    log.debug({ detail }, 'Google no longer knows a token that was to be revoked')
  }

  return {
    /** With the account goes the permission that Google was given for it. */
    withAccount(events: EventBus): void {
      events.on('accountDeleting', async ({ userId, transaction }) => {
        const held = await transaction
          .selectFrom('googleConnections')
          .where('userId', '=', userId)
          .select(['googleSub', 'refreshToken as sealedToken'])
          .executeTakeFirst()
        if (held) await queue.send(revocationQueue, { userId, ...held }, { transaction })
      })
    },

    /** Has it taken back, whatever becomes of `atOnce`. To be done in the transaction that forgets the token. */
    async later(held: Revocation, transaction: Db): Promise<void> {
      await queue.send(revocationQueue, held, { transaction, startAfter: new Date(Date.now() + atOnceMs) })
    },

    /** Takes it back before whoever disconnected can connect anew; the job then finds a token that Google no longer knows. */
    async atOnce(held: Revocation): Promise<void> {
      await revoke(held).catch((error: unknown) => log.warn({ err: error }, 'Google did not confirm the revocation, and is asked again'))
    },

    work: (): Promise<void> => queue.work(revocationQueue, {}, ({ data }) => revoke(job.parse(data))),
  }
}
export type Revocations = ReturnType<typeof createRevocations>
