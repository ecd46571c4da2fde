import type { WebhookDeliveries, WebhookDelivery, WebhookDeliveryInFull } from '../../../contract/delivery/webhook-log.ts'
import { type Selectable, sql } from 'kysely'
import { webhookRefusal } from '../../../core/billing/entitlements.ts'
import { patienceMs } from '../../../core/delivery/retries.ts'
import type { Person } from '../../accounts/service.ts'
import type { WebhookAttemptsTable } from '../../database/delivery-tables.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Message, message as messageSchema, type MessageItem } from '../message.ts'
import { payloadOf } from './payload.ts'

export type WebhookLogDeps = {
  db: Db
  clock: Clock
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
  /** Sends due messages soon, once the transaction commits. */
  soon: (transaction: Db) => Promise<unknown>
}

type Attempt = Selectable<WebhookAttemptsTable>
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]
type Event = MessageItem['event']

/** What somebody's server received and answered, and resending it (docs/webhooks.md). */
export function createWebhookLog({ db, clock, baseUrl, soon }: WebhookLogDeps) {
  async function viewsOf(person: Person, rows: readonly Row[]): Promise<WebhookDelivery[]> {
    const attempts = await attemptsOf(db, rows)
    const locked = webhookRefusal(person.plan)
    return rows.map((row) => ({
      id: String(row.id),
      key: row.key,
      kind: row.kind,
      about: contentOf(row),
      property: row.property,
      createdAt: row.createdAt.toISOString(),
      state: row.state,
      nextAttemptAt: row.state === 'waiting' ? row.nextAttemptAt.toISOString() : null,
      attempts: (attempts.get(row.id) ?? []).map(({ at, status, ms, answer, detail }) => ({
        at: at.toISOString(),
        status,
        ms,
        answer,
        detail,
      })),
      resendLocked: row.events === null ? 'Messages are kept for 90 days.' : locked,
    }))
  }

  async function one(person: Person, id: number): Promise<WebhookDeliveryInFull> {
    const [row] = await rowsOf(db, person.id).select('notifications.message').where('notifications.id', '=', id).execute()
    if (!row) throw notYours()
    const [view] = await viewsOf(person, [row])
    if (!view) throw notYours()
    const message = readMessage(row)
    const body = message && JSON.stringify(payloadOf({ message, baseUrl: baseUrl(), writtenAt: row.createdAt }), null, 2)
    // Another version of Ranklark may have written it.
    return message === null ? { ...view, body, resendLocked: 'This message can no longer be read.' } : { ...view, body }
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
     * Resends a message with its original `webhook-id`, to the current URL, retrying for as long as a new one.
     * @throws Refusal 403 because of the plan, 404, 409 if there is nothing left to send
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
    .select(['notifications.id', 'notifications.key', 'notifications.kind', 'notifications.state'])
    // A message may be megabytes long, so the list only counts its contents. One whose content was deleted (delivery/engine.ts) is empty.
    .select(
      sql<readonly Event[] | null>`CASE WHEN jsonb_exists(notifications.message, 'kind')
        THEN jsonb_path_query_array(notifications.message, '$.properties[*].items[*].event') END`.as('events'),
    )
    .select(['notifications.createdAt', 'notifications.nextAttemptAt', 'properties.name as property'])
    .orderBy('notifications.id', 'desc')

/** How many of a message's latest attempts are shown; resending it can add any number. */
const attemptsShown = 100

async function attemptsOf(db: Db, rows: readonly Row[]): Promise<Map<number, Attempt[]>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const numbered = db
    .selectFrom('webhookAttempts')
    .where('notificationId', 'in', ids)
    .selectAll()
    .select(sql<number>`row_number() OVER (PARTITION BY notification_id ORDER BY id DESC)`.as('fromLast'))
  const found = await db.selectFrom(numbered.as('attempts')).where('fromLast', '<=', attemptsShown).selectAll().orderBy('id').execute()
  return Map.groupBy(found, ({ notificationId }) => notificationId)
}

/** Null once its content is deleted (delivery/engine.ts), or if another version of Ranklark wrote it. */
function readMessage({ message }: { message: unknown }): Message | null {
  const read = messageSchema.safeParse(message)
  return read.success ? read.data : null
}

const eventWords: Record<Event, string> = { opened: 'opened', recovered: 'ended', woken: 'no longer snoozed', worsened: 'got worse' }

/** What a message contains: `2 alerts opened, 1 ended`. */
export function contentOf({ kind, events }: Pick<Row, 'kind' | 'events'>): string {
  if (events === null) return 'Content no longer stored'
  if (kind === 'test') return 'Test message'
  const counts = (['opened', 'worsened', 'recovered', 'woken'] as const)
    .map((event) => ({ event, count: events.filter((each) => each === event).length }))
    .filter(({ count }) => count > 0)
  if (counts.length === 0) return 'Site summary'
  const [first] = counts
  const noun = first?.count === 1 ? 'alert' : 'alerts'
  return counts.map(({ event, count }, index) => `${count} ${index === 0 ? `${noun} ` : ''}${eventWords[event]}`).join(', ')
}
