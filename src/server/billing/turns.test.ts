import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Abandoned, forTenant, serverTenant, nameTenant, newTenancy, tenantNow, runAs } from '../platform/tenant.ts'
import { createTurns } from './turns.ts'

/** A lock like the real one: one at a time per person, in order of arrival. */
function createLines() {
  const lines = new Map<string, Promise<unknown>>()
  return <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const mine = (lines.get(userId) ?? Promise.resolve()).then(work)
    lines.set(
      userId,
      mine.catch(() => {}),
    )
    return mine
  }
}

/** Actions that end on command. */
function workshop() {
  const turns = createTurns(createLines())
  const begun: string[] = []
  const open: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((end) => open.push(end))
  }
  const from = (network: string, account: string, lock: 'locked' | 'unlocked' = 'locked') =>
    forTenant(network, async () => {
      await nameTenant(account)
      return turns[lock](account, work(account))
    })
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  }
  const endOne = async () => {
    open.shift()?.()
    await settle()
  }
  return { turns, begun, work, from, settle, endOne }
}

test("a hundred accounts of one network keep neither another network's payment waiting, nor webhooks and jobs", async () => {
  const { turns, begun, work, from, settle, endOne } = workshop()
  const many = Array.from({ length: 100 }, (_, n) => from('attacker', `account ${n}`))
  await settle()
  expect(begun).toEqual(['account 0', 'account 1', 'account 2'])
  const others = [from('office', 'ann'), from('office', 'ben'), from('office', 'cy')]
  await settle()
  expect(begun.slice(3)).toEqual(['ann', 'ben'])
  // All five are taken. A message about one of the accounts that still wait is handled all the same.
  const messages = ['account 99', 'dora', 'eve'].map((userId) => turns.own(userId, work(`message about ${userId}`)))
  await settle()
  expect(begun.slice(5)).toEqual(['message about account 99', 'message about dora', 'message about eve'])
  await endOne()
  expect(begun.at(-1)).toBe('cy')
  for (let ended = 0; ended < 106; ended += 1) await endOne()
  await Promise.all([...many, ...others, ...messages])
})

test('one account can have one action running and ten waiting; more are refused', async () => {
  const { begun, from, settle, endOne } = workshop()
  const many = Array.from({ length: 11 }, () => from('attacker', 'ann', 'unlocked'))
  await settle()
  expect(begun).toEqual(['ann'])
  await expect(from('attacker', 'ann')).rejects.toMatchObject({ statusCode: 429 })
  for (let ended = 0; ended < 11; ended += 1) await endOne()
  await Promise.all(many)
})

test('whoever leaves while waiting starts no payment and lets others pass; a running action no longer waits in queues of its account', async () => {
  const { turns, begun, work, from, settle, endOne } = workshop()
  const gone = new AbortController()
  const request = { ...newTenancy(undefined, 'attacker'), left: gone.signal }
  const many = Array.from({ length: 20 }, (_, n) => runAs(request, () => turns.locked(`account ${n}`, work(`account ${n}`))))
  await settle()
  gone.abort(new Abandoned())
  const neighbor = from('attacker', 'neighbor')
  const ended = await Promise.allSettled(many.slice(3))
  expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
  await endOne()
  expect(begun).toEqual(['account 0', 'account 1', 'account 2', 'neighbor'])
  for (let left = 0; left < 3; left += 1) await endOne()
  await Promise.all([...many.slice(0, 3), neighbor])
  expect(await forTenant('attacker', () => turns.locked('ann', async () => tenantNow()))).toBe(serverTenant)
})
