import { z } from 'zod'
import type { Db } from '../database/open.ts'
import type { EventBus } from '../events.ts'
import type { GoogleOAuth } from '../google/oauth.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { ConnectionStore } from './connection-store.ts'

const queueName = 'google-revocations'
/** The token lies in the queue as it lay in its table: sealed. */
const job = z.object({ userId: z.string(), googleSub: z.string(), sealedToken: z.string() })

export async function defineRevocations(queue: Queue): Promise<void> {
  // Google may be away for a while: the last attempt is made some nine hours after the first.
  await queue.defineQueue(queueName, { retryLimit: 15, retryDelay: 2, retryBackoff: true, retryDelayMax: 4 * 3600 })
}

/** With the account goes the permission that Google was given for it. */
export function revokeWithAccount(events: EventBus, queue: Queue): void {
  events.on('accountDeleting', async ({ userId, transaction }) => {
    const held = await transaction
      .selectFrom('googleConnections')
      .where('userId', '=', userId)
      .select(['googleSub', 'refreshToken as sealedToken'])
      .executeTakeFirst()
    if (held) await queue.send(queueName, { userId, ...held }, { transaction })
  })
}

export type RevocationDeps = { db: Db; connectionStore: ConnectionStore; oauth: GoogleOAuth; log: Log }

export async function workOnRevocations(queue: Queue, { db, connectionStore, oauth, log }: RevocationDeps): Promise<void> {
  await queue.work(queueName, {}, async ({ data }) => {
    const { userId, googleSub, sealedToken } = job.parse(data)
    // Google takes back what it gave this installation for that Google account, not one token: whoever else connected
    // it, or connected it anew meanwhile, would be cut off.
    const inUse = await db.selectFrom('googleConnections').where('googleSub', '=', googleSub).select('userId').executeTakeFirst()
    if (inUse) return
    const answer = await oauth.revoke(connectionStore.openRefreshToken(userId, sealedToken))
    if (answer.ok) return
    const { kind, detail } = answer.problem
    if (kind === 'unavailable' || kind === 'rate_limited') throw new Error(`Google did not take the revocation: ${detail}`)
    log.info({ detail }, 'Google no longer knows the token of a deleted account')
  })
}
