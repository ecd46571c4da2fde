import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { takeOfDay } from '../../database/day-counts.ts'
import { Refusal } from '../../common/errors.ts'

/** Maximum number of snoozes of one alert within 24 hours. */
const mostSnoozes = 20
/** Maximum number of snoozes of an account a day: each end is announced on every channel, and webhooks get them all. */
const snoozesADay = 1_000
const dayMs = 24 * 3_600_000

/** @throws Refusal 409 if one was snoozed too often: each snooze is recorded, and its end is announced */
export async function mayBeSnoozed(trx: Db, userId: string, rows: readonly { id: number }[], now: Date): Promise<void> {
  const { most } = await trx
    .selectFrom((eb) =>
      eb
        .selectFrom('alertEvents')
        .where(sql<boolean>`alert_id = any(${rows.map(({ id }) => id)})`)
        .where('reason', '=', 'snoozed')
        .where('at', '>', new Date(now.getTime() - dayMs))
        .groupBy('alertId')
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('snoozes'),
    )
    .select((eb) => eb.fn.coalesce(eb.fn.max('count'), sql.lit(0)).as('most'))
    .executeTakeFirstOrThrow()
  if (most >= mostSnoozes)
    throw new Refusal(409, `This alert was snoozed ${mostSnoozes} times within a day. Acknowledge it, or snooze it again tomorrow.`)
  if ((await takeOfDay(trx, { what: 'snooze', whose: userId }, rows.length, snoozesADay, now)) < rows.length)
    throw new Refusal(409, 'You can snooze up to 1,000 alerts a day. Acknowledge these, or snooze them tomorrow (UTC).')
}
