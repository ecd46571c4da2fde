import { expect } from 'vitest'
import { databaseTest } from '../../../../test/support/database.ts'
import { hashKeys, keepFormer } from '../../database/former-keys.ts'
import { createVault, type SecretKeys } from '../../platform/secrets.ts'
import { createAskedAddresses } from './asked-addresses.ts'

// The operator replaces SECRET_KEY, and whoever asked too often, or was refused, tries again.

const now = new Date('2026-03-18T09:00:00Z')
const later = (days: number) => new Date(now.getTime() + days * 86_400_000)
/** An account registered on the day it asks. */
const by = (at: Date) => ({ now: at, registeredAt: at })
const [first, second, third] = ['first', 'second', 'third'].map((name) => name.padEnd(40, '-')) as [string, string, string]

const test = databaseTest().extend('asked', { scope: 'file' }, ({ database: { db } }) => {
  return async (...keys: SecretKeys) =>
    createAskedAddresses(await hashKeys({ db, vault: createVault(...keys), keys, clock: { now: () => now } }, 'report-addresses'))
})

test('refusals and counts survive another secret key, during its rotation and after it', async ({ database: { db }, asked }) => {
  const { refused, count } = await asked(first)
  await refused(db, ['no@client.example'], now)
  for (let day = 0; day < 3; day += 1) for (let ask = 0; ask < 5; ask += 1) await count(db, ['silent@client.example'], by(later(day)))

  // Both keys are known.
  const during = await asked(second, first)
  await expect(during.count(db, ['no@client.example'], by(later(4)))).rejects.toThrow("doesn't want to be asked")

  // Only the new one is left, and what was kept of the old one.
  await keepFormer(db, createVault(second, first), [second, first])
  const after = await asked(second)
  await expect(after.count(db, ['new@client.example', 'No@Client.example'], by(later(5)))).rejects.toThrow("doesn't want to be asked")
  await expect(after.count(db, ['silent@client.example'], by(later(5)))).rejects.toThrow('many times')
  await after.agreed(db, 'silent@client.example')
  await after.count(db, ['silent@client.example'], by(later(6)))

  // Once more, long after the links of old emails have ended.
  await keepFormer(db, createVault(third, second), [third, second])
  const last = await asked(third, second)
  await expect(last.count(db, ['no@client.example'], by(later(80)))).rejects.toThrow("doesn't want to be asked")
  await last.count(db, ['no@client.example'], by(later(100)))
})

test('what two keys counted meanwhile is added up', async ({ database: { db }, asked }) => {
  const [before, after] = [await asked(first), await asked(second, first)]
  for (let ask = 0; ask < 3; ask += 1) await before.count(db, ['both@client.example'], by(now))
  for (let ask = 0; ask < 2; ask += 1) await after.count(db, ['both@client.example'], by(now))
  await before.count(db, ['both@client.example'], by(now))
  await expect(after.count(db, ['both@client.example'], by(now))).rejects.toThrow('several times today')
})

test("the refusal of an account that was deleted to start anew doesn't bind accounts that are older", async ({
  database: { db },
  asked,
}) => {
  const { refused, count } = await asked(first)
  await refused(db, ['client@of-an-agency.example'], later(10))
  const asks = (registered: number) => count(db, ['client@of-an-agency.example'], { now: later(11), registeredAt: later(registered) })
  await asks(9)
  for (const registered of [10, 11]) await expect(asks(registered)).rejects.toThrow("doesn't want to be asked")
})
