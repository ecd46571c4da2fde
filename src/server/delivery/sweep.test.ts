import { expect } from 'vitest'
import { databaseTest, type TestDatabase } from '../../../test/support/database.ts'
import { sweepDelivery } from './sweep.ts'

// There is more to forget than one statement can handle in the time that it may take.

const test = databaseTest()
const now = new Date('2026-03-18T03:17:00Z')

/** Stops statements that change more rows of a table than this, as the time limit would. */
const limited = ({ pool }: TestDatabase, table: string, change: 'UPDATE' | 'DELETE', most: number) =>
  pool.query(`CREATE FUNCTION limit_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM changed) > ${most} THEN RAISE 'canceling statement due to statement timeout'; END IF; RETURN NULL; END $$;
    CREATE TRIGGER limited AFTER ${change} ON ${table} REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION limit_${table}()`)

test('old messages are forgotten some at a time; one step that fails keeps no other from being taken', async ({ database }) => {
  const { db, pool, property } = database
  await property('https://old.example/')
  await pool.query(
    `INSERT INTO notifications (user_id, channel, kind, message, state, created_at, sent_at, next_attempt_at, give_up_at)
     SELECT user_id, 'webhook', 'alerts', '{"kind": "alerts", "items": []}', 'sent', $1::timestamptz - interval '91 days', $1, $1, $1
     FROM properties, generate_series(1, 250)`,
    [now],
  )
  await pool.query(`INSERT INTO webhook_attempts (notification_id, at, ms) SELECT id, created_at, 1 FROM notifications LIMIT 1`)
  await pool.query(`INSERT INTO day_counts (what, whose, day, used) VALUES ('text', 'somebody', '2026-03-01', 1)`)
  const left = async () => {
    const { rows } = await pool.query<{ contents: number; attempts: number; counts: number }>(
      `SELECT (SELECT count(*)::integer FROM notifications WHERE message <> '{}') AS contents,
        (SELECT count(*)::integer FROM webhook_attempts) AS attempts, (SELECT count(*)::integer FROM day_counts) AS counts`,
    )
    return rows[0]
  }
  await limited(database, 'notifications', 'UPDATE', 100)
  await limited(database, 'webhook_attempts', 'DELETE', 0)

  // Somebody else is changing one of them, and isn't waited for.
  const other = await pool.connect()
  try {
    await other.query('BEGIN; SELECT FROM notifications ORDER BY id LIMIT 1 FOR UPDATE')
    await expect(sweepDelivery(db, now)).rejects.toThrow('statement timeout')
    expect(await left()).toEqual({ contents: 1, attempts: 1, counts: 0 })
  } finally {
    await other.query('ROLLBACK')
    other.release()
  }

  await pool.query('DROP TRIGGER limited ON webhook_attempts')
  await sweepDelivery(db, now)
  expect(await left()).toEqual({ contents: 0, attempts: 0, counts: 0 })
})
