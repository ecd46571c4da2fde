import { createHash } from 'node:crypto'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import { ApiProblem } from './problem.ts'

/** How long an answer is kept for whoever asks again. */
const keptMs = 24 * 3_600_000
/** Longer than any request takes; after that, the process that carried it out has died. */
const lockMs = 60_000

/** A request that named itself with `Idempotency-Key`. */
export type NamedRequest = { apiKeyId: number; idempotencyKey: string; fingerprint: Buffer }
export type KeptAnswer = { status: number; body: string | null }

/** The same for requests that ask the same. */
export const fingerprintOf = (method: string, url: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest()

/**
 * Requests that are sent again, because their answer was lost on the way, are carried out once. Kept is what was done: of a
 * request that was refused nothing was done, so it is free to be sent again, changed or not.
 */
export function createRepeatedRequests(db: Db, clock: Clock) {
  const row = ({ apiKeyId, idempotencyKey }: NamedRequest) =>
    db.selectFrom('apiRequests').where('apiKeyId', '=', apiKeyId).where('idempotencyKey', '=', idempotencyKey)

  return {
    /**
     * The answer that was given before; null when the caller is the one to carry it out, and then has to `keep` or `forget` it.
     * @throws ApiProblem 409 while another is at it, 422 when the key was used for another request
     */
    async begin(request: NamedRequest): Promise<KeptAnswer | null> {
      const now = clock.now()
      const forgotten = new Date(now.getTime() - keptMs)
      const begun = {
        begunAt: now,
        lockedUntil: new Date(now.getTime() + lockMs),
        fingerprint: request.fingerprint,
        status: null,
        body: null,
      }
      // Of several at the same moment the database lets one in.
      const mine = await db
        .insertInto('apiRequests')
        .values({ ...request, ...begun })
        .onConflict((oc) =>
          oc
            .columns(['apiKeyId', 'idempotencyKey'])
            .doUpdateSet(begun)
            .where((eb) =>
              eb.or([
                eb('apiRequests.begunAt', '<', forgotten),
                eb.and([
                  eb('apiRequests.status', 'is', null),
                  eb('apiRequests.lockedUntil', '<', now),
                  eb('apiRequests.fingerprint', '=', request.fingerprint),
                ]),
              ]),
            ),
        )
        .returning('apiRequests.apiKeyId')
        .executeTakeFirst()
      if (mine) return null
      const found = await row(request).select(['fingerprint', 'status', 'body', 'lockedUntil']).executeTakeFirst()
      if (found && !found.fingerprint.equals(request.fingerprint)) {
        throw new ApiProblem('idempotency-key-used', 'Use a key of its own for each request.', { field: 'Idempotency-Key' })
      }
      if (found && found.status !== null) return { status: found.status, body: found.body }
      throw new ApiProblem('request-under-way', 'Ask again in a moment for its answer.', { headers: { 'retry-after': '1' } })
    },

    async keep({ apiKeyId, idempotencyKey }: NamedRequest, answer: KeptAnswer): Promise<void> {
      await db
        .updateTable('apiRequests')
        .set(answer)
        .where('apiKeyId', '=', apiKeyId)
        .where('idempotencyKey', '=', idempotencyKey)
        .execute()
    },

    async forget({ apiKeyId, idempotencyKey }: NamedRequest): Promise<void> {
      await db
        .deleteFrom('apiRequests')
        .where('apiKeyId', '=', apiKeyId)
        .where('idempotencyKey', '=', idempotencyKey)
        .where('status', 'is', null)
        .execute()
    },

    /** Deletes what is kept no longer. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('apiRequests')
        .where('begunAt', '<', new Date(clock.now().getTime() - keptMs))
        .execute()
    },
  }
}
export type RepeatedRequests = ReturnType<typeof createRepeatedRequests>
