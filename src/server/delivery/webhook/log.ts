import type { WebhookDeliveries, WebhookDelivery, WebhookDeliveryInFull } from '../../../contract/delivery/webhook-log.ts'
import { webhookRefusal } from '../../../core/billing/entitlements.ts'
import { patienceMs } from '../../../core/delivery/retries.ts'
import type { Person } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Message } from '../message.ts'
import { message as messageSchema } from '../message.ts'
import { wordsOf } from './log-words.ts'
import { payloadOf } from './payload.ts'

export type WebhookLogDeps = {
  db: Db
  clock: Clock
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
  /** Has due messages sent soon, once the transaction commits. */
  soon: (transaction: Db) => Promise<unknown>
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

/** What somebody's server was sent and answered, and sending it again (docs/webhooks.md). */
export function createWebhookLog({ db, clock, baseUrl, soon }: WebhookLogDeps) {
  async function viewsOf(person: Person, rows: readonly Row[]): Promise<WebhookDelivery[]> {
    const attempts = await attemptsOf(db, rows)
    const locked = webhookRefusal(person.plan)
    return rows.map((row) => {
      const message = readMessage(row)
      return {
        id: String(row.id),
        key: row.key,
        kind: row.kind,
        about: wordsOf(message),
        property: row.property,
        createdAt: row.createdAt.toISOString(),
        state: row.state,
        nextAttemptAt: row.state === 'waiting' ? row.nextAttemptAt.toISOString() : null,
        attempts: attempts
          .filter((attempt) => attempt.notificationId === row.id)
          .map(({ at, status, ms, answer, detail }) => ({ at: at.toISOString(), status, ms, answer, detail })),
        resendLocked: message === null ? 'Messages are kept for 90 days.' : locked,
      }
    })
  }

  async function one(person: Person, id: number): Promise<WebhookDeliveryInFull> {
    const [row] = await rowsOf(db, person.id).where('notifications.id', '=', id).execute()
    if (!row) throw notYours()
    const [view] = await viewsOf(person, [row])
    if (!view) throw notYours()
    const message = readMessage(row)
    const body = message && JSON.stringify(payloadOf({ message, baseUrl: baseUrl(), writtenAt: row.createdAt }), null, 2)
    return { ...view, body }
  }

  return {
    async list(person: Person, { before, limit }: { before?: number | undefined; limit: number }): Promise<WebhookDeliveries> {
      let query = rowsOf(db, person.id)
      if (before !== undefined) query = query.where('notifications.id', '<', before)
      const rows = await query.limit(limit + 1).execute()
      return { deliveries: await viewsOf(person, rows.slice(0, limit)), more: rows.length > limit }
    },

    /** @throws Refusal 404 */
    one,

    /**
     * Sends a message once more, with the `webhook-id` it had: to the address that is there now, and for as long as a new one.
     * @throws Refusal 403 by the plan, 404, 409 when there is nothing to be sent any more
     */
    async resend(person: Person, id: number): Promise<WebhookDeliveryInFull> {
      const { resendLocked } = await one(person, id)
      const locked = webhookRefusal(person.plan)
      if (locked !== null) throw new Refusal(403, locked)
      if (resendLocked !== null) throw new Refusal(409, resendLocked)
      const now = clock.now()
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('notifications')
          .set({
            state: 'waiting',
            attempts: 0,
            nextAttemptAt: now,
            giveUpAt: new Date(now.getTime() + patienceMs),
            sentAt: null,
            detail: null,
          })
          .where('id', '=', id)
          .where('userId', '=', person.id)
          .execute()
        await soon(trx)
      })
      return one(person, id)
    },
  }
}
export type WebhookLog = ReturnType<typeof createWebhookLog>

const notYours = (): Refusal => new Refusal(404, "This message doesn't exist or is no longer stored.")

const rowsOf = (db: Db, userId: string) =>
  db
    .selectFrom('notifications')
    .leftJoin('properties', 'properties.id', 'notifications.propertyId')
    .where('notifications.userId', '=', userId)
    .where('notifications.channel', '=', 'webhook')
    .select(['notifications.id', 'notifications.key', 'notifications.kind', 'notifications.message', 'notifications.state'])
    .select(['notifications.createdAt', 'notifications.nextAttemptAt', 'properties.name as property'])
    .orderBy('notifications.id', 'desc')

const attemptsOf = (db: Db, rows: readonly Row[]) =>
  rows.length === 0
    ? []
    : db
        .selectFrom('webhookAttempts')
        .where(
          'notificationId',
          'in',
          rows.map(({ id }) => id),
        )
        .selectAll()
        .orderBy('id')
        .execute()

/** Null once it was forgotten (sweep.ts), or where another version of Ranklark wrote it. */
function readMessage({ message }: { message: unknown }): Message | null {
  const read = messageSchema.safeParse(message)
  return read.success ? read.data : null
}
