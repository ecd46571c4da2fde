import { sql } from 'kysely'
import { eachStep } from '../common/each-step.ts'
import { forgetDayCounts } from '../database/day-counts.ts'
import { changeInBatches } from '../database/in-batches.ts'
import type { Db } from '../database/open.ts'
import { canBeSent } from './plan-alerts.ts'

const dayMs = 24 * 3_600_000
/** How long a message's content is kept; that it existed, where it went and when stays. */
const keptDays = 90

/** How long announcements wait for a confirmed address: nobody wants emails about what happened months ago. */
const waitsForAddressDays = 30

/** How many rows of a few hundred bytes are changed together, and how many messages, each of which may take megabytes. */
const rowsAtOnce = 5_000
const messagesAtOnce = 100

/**
 * Every night: deletes the content of old messages and the responses to them (the alerts have the same content, and a digest a day adds up),
 * gives up on announcements that couldn't be emailed for a long time, and forgets the counts of past days.
 */
export async function sweepDelivery(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  const unconfirmedSince = new Date(now.getTime() - waitsForAddressDays * dayMs)
  await eachStep([
    () => changeInBatches(db, { table: 'webhook_attempts', where: sql`at < ${before}`, atOnce: rowsAtOnce }),
    () =>
      changeInBatches(db, {
        table: 'notifications',
        // By its size as stored, since reading megabytes to compare them would take a long time.
        where: sql`state <> 'waiting' AND created_at < ${before} AND pg_column_size(message) > ${emptyBytes}`,
        set: sql`message = '{}'`,
        atOnce: messagesAtOnce,
      }),
    () =>
      changeInBatches(db, {
        table: 'delivery_news',
        where: sql`state = 'waiting' AND channel = 'email' AND at < ${unconfirmedSince} AND NOT ${canBeSent}`,
        set: sql`state = 'suppressed', detail = ${`The address was not confirmed within ${waitsForAddressDays} days.`}`,
        atOnce: rowsAtOnce,
      }),
    () => forgetDayCounts(db, now),
  ])
}

/** More than `{}` takes up, and less than any message. */
const emptyBytes = 16
