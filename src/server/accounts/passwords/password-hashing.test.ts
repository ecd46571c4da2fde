import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forTenant, nameTenant } from '../../platform/tenant.ts'
import { limitHashing } from './password-hashing.ts'

/** Hashing that ends on command. */
function workshop() {
  const begun: string[] = []
  const open: (() => void)[] = []
  const { hash, verify } = limitHashing({
    hash(password) {
      begun.push(password)
      return new Promise((resolve) => open.push(() => resolve(`hash of ${password}`)))
    },
    verify: async () => true,
  })
  const endOne = async () => {
    open.shift()?.()
    await nextTurn()
  }
  /** Null: within the current request. */
  const hashFor = (network: string | null, password: string) =>
    network === null ? hash(password) : forTenant(network, () => hash(password))
  return { begun, endOne, hash: hashFor, verify }
}

test("one network that invents names doesn't keep another from logging in", async () => {
  const { begun, endOne, hash } = workshop()
  const many = Array.from({ length: 52 }, (_, n) => hash('network 2001:db8::/48', `made up ${n}`))
  await nextTurn()
  expect(begun).toEqual(['made up 0', 'made up 1'])
  const other = hash('network 192.0.2.1', 'mine')
  await nextTurn()
  expect(begun.at(-1)).toBe('mine')
  for (let n = 0; n < 53; n += 1) await endOne()
  expect(await other).toBe('hash of mine')
  await Promise.all(many)
})

test('accounts of one network have one turn together, so that a hundred of them keep no other network from logging in', async () => {
  const { begun, endOne, hash } = workshop()
  const ofAccount = (account: string) =>
    forTenant('network 192.0.2.1', async () => {
      await nameTenant(account)
      return hash(null, account)
    })
  const many = Array.from({ length: 20 }, (_, n) => ofAccount(`account ${n}`))
  await nextTurn()
  expect(begun).toEqual(['account 0', 'account 1'])
  const other = hash('network 192.0.2.2', 'mine')
  await nextTurn()
  expect(begun).toEqual(['account 0', 'account 1', 'mine'])
  for (let n = 0; n < 21; n += 1) await endOne()
  await Promise.all([...many, other])
})

test('fifty of one network may wait, and no more', async () => {
  const { endOne, hash } = workshop()
  const many = Array.from({ length: 52 }, (_, n) => hash('network 192.0.2.1', String(n)))
  await nextTurn()
  await expect(hash('network 192.0.2.1', 'one more')).rejects.toMatchObject({ status: 429 })
  for (let n = 0; n < 52; n += 1) await endOne()
  await Promise.all(many)
})
