import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forTenant } from '../../platform/tenant.ts'
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
  return { begun, endOne, hash: (network: string, password: string) => forTenant(network, () => hash(password)), verify }
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

test('fifty of one network may wait, and no more', async () => {
  const { endOne, hash } = workshop()
  const many = Array.from({ length: 52 }, (_, n) => hash('network 192.0.2.1', String(n)))
  await nextTurn()
  await expect(hash('network 192.0.2.1', 'one more')).rejects.toMatchObject({ status: 429 })
  for (let n = 0; n < 52; n += 1) await endOne()
  await Promise.all(many)
})
