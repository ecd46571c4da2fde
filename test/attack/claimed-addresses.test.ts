import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { appTest } from '../support/app-test.ts'
import { confirmAddress, registered } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { findByName } from '../../src/server/accounts/service.ts'
import { openDatabase } from '../../src/server/database/open.ts'

// Somebody registers many accounts with the address of a well-known person, to whom the operator then wants to give help or a plan.

const test = appTest({ today: '2026-03-18', demo: false })

test("any number of claims doesn't keep the operator's commands from finding the account that confirmed an address", async ({ app }) => {
  const { sql } = await app.stores()
  const claim = async (first: number, last: number) => {
    await sql(
      `WITH claims AS (INSERT INTO users (id, name, username, email)
         SELECT gen_random_uuid(), 'claim' || n, 'claim' || n, 'wellknown@example.test' FROM generate_series($1::int, $2::int) AS n RETURNING id)
       INSERT INTO people (user_id, plan) SELECT id, 'free' FROM claims`,
      [first, last],
    )
  }
  const pool = new pg.Pool({ connectionString: await databaseUrlOf(app.dataDir) })
  onTestFinished(() => pool.end())
  const find = (name: string) => findByName(openDatabase(pool), name)

  await claim(1, 150)
  await expect(find('wellknown@example.test')).rejects.toThrow("isn't confirmed, so it can't identify an account")
  const owner = await registered(app, 'wellknown')
  await confirmAddress(app, owner, 'wellknown@example.test')
  await claim(151, 300)
  const [user] = await sql<{ id: string }>(`SELECT id FROM users WHERE username = 'wellknown'`)
  expect([await find('wellknown@example.test'), await find('WellKnown')]).toEqual([user?.id, user?.id])
  expect(await find('nobody@example.test')).toBeNull()
})
