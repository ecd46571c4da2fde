import { sql } from 'kysely'
import { expect } from 'vitest'
import { databaseTest } from '../../../../test/support/database.ts'
import { urgenciesOf, worsenedSince } from './announce.ts'

const test = databaseTest()

const windows = { current: { start: '2026-03-09', end: '2026-03-15' }, base: { start: '2026-03-02', end: '2026-03-08' }, scale: 1 }

test('a step that grows while its week fills up is not another change; one twice as large is', async ({ database }) => {
  const { db } = database
  const property = await database.property('https://a.example/')
  const open = async (name: string, opening: { change: number; firstDay?: string }) => {
    const figures = JSON.stringify({ previous: 700, current: 500, windows, ...opening })
    const { rows } = await sql<{ id: string }>`INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity,
        state, figures, opening, series, opened_at, judged_at, judged_through)
      VALUES (${property}, 'change', 'clicks', 'previous_7_days', 'page', ${name}, 'critical', 'firing', ${figures}, ${figures}, '[]', now(), now(),
        '2026-03-15') RETURNING id`.execute(db)
    return Number(rows[0]?.id)
  }
  const alerts = {
    // Dead for two days of its week, and later for all of them.
    dying: await open('/dying', { change: -28, firstDay: '2026-03-14' }),
    // Down for the whole week, and dead later.
    mild: await open('/mild', { change: -28, firstDay: '2026-03-09' }),
    // Nobody knows since when.
    unknown: await open('/unknown', { change: -28 }),
    // Longer than the week tells.
    long: await open('/long', { change: -28, firstDay: '2026-02-01' }),
  }
  const before = await urgenciesOf(db, property)
  await sql`UPDATE alerts SET figures = figures || '{"change": -100}'`.execute(db)
  const worsened = await worsenedSince(db, property, before)
  expect(worsened.map(({ id }) => id).toSorted()).toEqual([alerts.mild, alerts.long])
})
