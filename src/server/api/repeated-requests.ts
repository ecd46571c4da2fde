import { createHash } from 'node:crypto'
import { takeOfDay } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import { ApiProblem } from './problem.ts'

/** How long an answer is kept for whoever asks again. */
const keptMs = 24 * 3_600_000
/** Longer than any request takes; after that, the process that carried it out has died, or may no longer finish it. */
const lockMs = 60_000

/** How much is kept of one account's answers of a day; what nobody asks for again would otherwise fill the database. */
const keptKibADay = 32 * 1024

/** A request that named itself with `Idempotency-Key`. */
export type NamedRequest = { apiKeyId: number; userId: string; idempotencyKey: string; fingerprint: Buffer }
/** One that the caller is to carry out: until then nobody else does. */
export type TakenRequest = NamedRequest & { lockedUntil: Date }
export type KeptAnswer = { status: number; body: string | null }

/** The same for requests that ask the same. */
export const fingerprintOf = (method: string, url: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest()

/**
 * Requests that are sent again, because their answer was lost on the way, are carried out once. Kept is what was done, in the
 * transaction that did it, so that a crash leaves both or neither. Of a request that was refused nothing was done, so it is
 * free to be sent again, changed or not.
 */
export function createRepeatedRequests(db: Db, clock: Clock) {
  const row = ({ apiKeyId, idempotencyKey }: NamedRequest) =>
    db.selectFrom('apiRequests').where('apiKeyId', '=', apiKeyId).where('idempotencyKey', '=', idempotencyKey)
  const underWay = () =>
    new ApiProblem('request-under-way', 'Try again in a moment to get its response.', { headers: { 'retry-after': '1' } })

  const tooMuchKept = () =>
    new ApiProblem(
      'too-many-requests',
      'Too many changes were sent with an Idempotency-Key today. Leave it out, or go on tomorrow (UTC).',
      {
        field: 'Idempotency-Key',
      },
    )

  return {
    /**
     * The answer that was given before, or the request when the caller is the one to `carryOut` it, and to `forget` it if that fails.
     * @throws ApiProblem 409 while another is at it, 422 when the key was used for another request
     */
    async begin(request: NamedRequest): Promise<KeptAnswer | TakenRequest> {
      const now = clock.now()
      const forgotten = new Date(now.getTime() - keptMs)
      const lockedUntil = new Date(now.getTime() + lockMs)
      const begun = {
        begunAt: now,
        lockedUntil,
        fingerprint: request.fingerprint,
        status: null,
        body: null,
      }
      // Of several at the same moment the database lets one in.
      const mine = await db
        .insertInto('apiRequests')
        .values({ apiKeyId: request.apiKeyId, idempotencyKey: request.idempotencyKey, ...begun })
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
      if (mine) return { ...request, lockedUntil }
      const found = await row(request).select(['fingerprint', 'status', 'body', 'lockedUntil']).executeTakeFirst()
      if (found && !found.fingerprint.equals(request.fingerprint)) {
        throw new ApiProblem('idempotency-key-used', 'Use a different key for each request.', { field: 'Idempotency-Key' })
      }
      if (found && found.status !== null) return { status: found.status, body: found.body }
      throw underWay()
    },

    /**
     * Does what was asked and keeps the answer, both or neither.
     * @throws ApiProblem 409 when it took so long that another has taken it over, 429 when the account's answers of today
     * take up all they may: then nothing was done here
     */
    async carryOut<Answer>(
      request: TakenRequest,
      change: (trx: Db) => Promise<Answer>,
      keptOf: (answer: Answer) => KeptAnswer,
    ): Promise<Answer> {
      return db.transaction().execute(async (trx) => {
        const answer = await change(trx)
        const kept = keptOf(answer)
        const { apiKeyId, userId, idempotencyKey, lockedUntil } = request
        const kib = Math.ceil(Buffer.byteLength(kept.body ?? '') / 1024) + 1
        const count = { what: 'api-answer-kib', whose: userId } as const
        if ((await takeOfDay(trx, count, kib, keptKibADay, clock.now())) < kib) throw tooMuchKept()
        const { numUpdatedRows } = await trx
          .updateTable('apiRequests')
          .set(kept)
          .where('apiKeyId', '=', apiKeyId)
          .where('idempotencyKey', '=', idempotencyKey)
          .where('lockedUntil', '=', lockedUntil)
          .where('status', 'is', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) throw underWay()
        return answer
      })
    },

    /** Of what was done after all, though nobody learnt of it, the answer stays. */
    async forget({ apiKeyId, idempotencyKey, lockedUntil }: TakenRequest): Promise<void> {
      await db
        .deleteFrom('apiRequests')
        .where('apiKeyId', '=', apiKeyId)
        .where('idempotencyKey', '=', idempotencyKey)
        .where('lockedUntil', '=', lockedUntil)
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
