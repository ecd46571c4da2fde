import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { databaseTest } from '../../../test/support/database.ts'
import { hashKeys, keepFormer } from '../database/former-keys.ts'
import type { Db } from '../database/open.ts'
import { createVault, type SecretKeys } from '../platform/secrets.ts'
import { createAskedAddresses } from './asked-addresses.ts'

// The operator replaces SECRET_KEY, and whoever asked too often, or was refused, tries again.

const now = new Date('2026-03-18T09:00:00Z')
const later = (days: number) => new Date(now.getTime() + days * 86_400_000)

/** An account with a confirmed address, registered on that day. */
async function registered(db: Db, at: Date): Promise<string> {
  const id = randomUUID()
  const email = `${id}@agency.example`
  await db.insertInto('users').values({ id, name: id, email, emailVerified: true, createdAt: at, updatedAt: at }).execute()
  return id
}
/** Old enough for all of an address's asks. */
const longAgo = later(-30)
const refusal = 'a confirmation request right now'
const [first, second, third] = ['first', 'second', 'third'].map((name) => name.padEnd(40, '-')) as [string, string, string]

const test = databaseTest().extend('asked', { scope: 'file' }, ({ database: { db } }) => {
  return async (...keys: SecretKeys) =>
    createAskedAddresses(await hashKeys({ db, vault: createVault(...keys), keys, clock: { now: () => now } }, 'report-addresses'))
})

test('refusals and counts survive another secret key, during its rotation and after it', async ({ database: { db }, asked }) => {
  const [user, younger] = [await registered(db, longAgo), await registered(db, later(1))]
  const { refused, count } = await asked(first)
  await refused(db, ['no@client.example'], now)
  for (let day = 0; day < 3; day += 1) for (let ask = 0; ask < 5; ask += 1) await count(db, user, ['silent@client.example'], later(day))

  // Both keys are known.
  const during = await asked(second, first)
  await expect(during.count(db, younger, ['no@client.example'], later(4))).rejects.toThrow(refusal)

  // Only the new one is left, and what was kept of the old one.
  await keepFormer(db, createVault(second, first), [second, first])
  const after = await asked(second)
  await expect(after.count(db, younger, ['new@client.example', 'No@Client.example'], later(5))).rejects.toThrow(refusal)
  await expect(after.count(db, user, ['silent@client.example'], later(5))).rejects.toThrow(refusal)
  await after.agreed(db, 'silent@client.example')
  await after.count(db, user, ['silent@client.example'], later(6))

  // Once more, long after the links of old emails have ended.
  await keepFormer(db, createVault(third, second), [third, second])
  const last = await asked(third, second)
  await expect(last.count(db, younger, ['no@client.example'], later(80))).rejects.toThrow(refusal)
  await last.count(db, younger, ['no@client.example'], later(100))
})

test('what two keys counted meanwhile is added up', async ({ database: { db }, asked }) => {
  const user = await registered(db, longAgo)
  const [before, after] = [await asked(first), await asked(second, first)]
  for (let ask = 0; ask < 3; ask += 1) await before.count(db, user, ['both@client.example'], now)
  for (let ask = 0; ask < 2; ask += 1) await after.count(db, user, ['both@client.example'], now)
  await before.count(db, user, ['both@client.example'], now)
  await expect(after.count(db, user, ['both@client.example'], now)).rejects.toThrow(refusal)
})

test("a refusal of a deleted account's reports applies to accounts registered since, not to older ones", async ({
  database: { db },
  asked,
}) => {
  const { refused, count } = await asked(first)
  await refused(db, ['client@of-an-agency.example'], later(10))
  const asks = async (day: number) => count(db, await registered(db, later(day)), ['client@of-an-agency.example'], later(11))
  await asks(9)
  for (const day of [10, 11]) await expect(asks(day)).rejects.toThrow(refusal)
})
