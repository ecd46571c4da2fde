import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { takeOfDay } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import { ApiProblem } from './problem.ts'

/** How long an answer is kept for repeated requests. */
const keptMs = 24 * 3_600_000
/** Longer than any request takes; after that, its process has died, or may no longer finish it. */
const lockMs = 60_000

/** How much of an account's answers is kept per day; answers nobody asks for again would otherwise fill the database. */
const keptKibADay = 32 * 1024
const deletedAtOnce = 200

/** A request with an `Idempotency-Key`. */
export type NamedRequest = { apiKeyId: number; userId: string; idempotencyKey: string; fingerprint: Buffer }
/** A request for the caller to carry out: nobody else does until then. */
export type TakenRequest = NamedRequest & { lockedUntil: Date }
export type KeptAnswer = { status: number; body: string | null }

/** Equal for requests that ask for the same thing. */
export const fingerprintOf = (method: string, url: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest()

/**
 * Carries out repeated requests, sent again because their answer got lost, only once. Stores the result in the transaction that did the
 * work, so that a crash leaves both or neither. A refused request did nothing, so it may be sent again, changed or not.
 */
export function createRepeatedRequests(db: Db, clock: Clock) {
  const row = ({ apiKeyId, idempotencyKey }: NamedRequest) =>
    db.selectFrom('apiRequests').where('apiKeyId', '=', apiKeyId).where('idempotencyKey', '=', idempotencyKey)
  const underWay = () =>
    new ApiProblem('request-under-way', 'Try again in a moment to get its response.', { headers: { 'retry-after': '1' } })

  const tooMuchKept = () =>
    new ApiProblem(
      'too-many-requests',
      'Too many changes were sent with an Idempotency-Key today. Omit the header, or continue tomorrow (UTC).',
      {
        field: 'Idempotency-Key',
      },
    )

  return {
    /**
     * The earlier answer, or the request if the caller has to `carryOut` it, and to `forget` it on failure.
     * @throws ApiProblem 409 while another caller works on it, 422 if the key was used for another request
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
      // Of several at the same moment, the database admits one.
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
     * Does the work and stores the answer, both or neither.
     * @throws ApiProblem 409 if it took so long that another caller took over, 429 if today's answers use up the account's allowance:
     * nothing was done here then
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

    /** If the work was committed after all and only the response was lost, its answer stays. */
    async forget({ apiKeyId, idempotencyKey, lockedUntil }: TakenRequest): Promise<void> {
      await db
        .deleteFrom('apiRequests')
        .where('apiKeyId', '=', apiKeyId)
        .where('idempotencyKey', '=', idempotencyKey)
        .where('lockedUntil', '=', lockedUntil)
        .where('status', 'is', null)
        .execute()
    },

    /** Deletes expired answers. */
    async sweep(): Promise<void> {
      const before = new Date(clock.now().getTime() - keptMs)
      // Answers may be long, so a statement for all of them could exceed the time that it may take.
      const some = sql`SELECT ctid FROM api_requests WHERE begun_at < ${before} LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED`
      let deleted: bigint | undefined
      do deleted = (await sql`DELETE FROM api_requests WHERE ctid = ANY (ARRAY(${some}))`.execute(db)).numAffectedRows
      while (deleted === BigInt(deletedAtOnce))
    },
  }
}
export type RepeatedRequests = ReturnType<typeof createRepeatedRequests>
