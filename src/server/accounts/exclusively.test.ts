import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Abandoned, forTenant, serverTenant, nameTenant, newTenancy, tenantNow, runAs } from '../platform/tenant.ts'
import { createExclusively } from './exclusively.ts'
import { limitHashing, withHashed } from './passwords/password-hashing.ts'

const attacker = 'network 2001:db8:666::'
const victim = 'network 192.0.2.1'

/** A request by an account from a network. */
const from = <T>(network: string, account: string, work: () => Promise<T>): Promise<T> =>
  forTenant(network, async () => {
    await nameTenant(account)
    return work()
  })

/** Work that records its start and ends on command. */
function workshop() {
  const begun: string[] = []
  const open: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((end) => open.push(end))
  }
  const endOne = async () => {
    open.shift()?.()
    await nextTurn()
  }
  const exclusively = createExclusively({ all: (_keys, locked) => locked() })
  return { begun, work, endOne, exclusively }
}

test("two hundred accounts of one network change their passwords; another network's second factor is checked at once", async () => {
  const { begun, work, endOne, exclusively } = workshop()
  const many = Array.from({ length: 200 }, (_, n) => from(attacker, `account ${n}`, () => exclusively(`account ${n}`, work(`change ${n}`))))
  await nextTurn()
  expect(begun).toEqual(['change 0'])
  const code = from(victim, 'owner', () => exclusively('owner', work('second factor')))
  await nextTurn()
  expect(begun).toEqual(['change 0', 'second factor'])
  for (let ended = 0; ended < 201; ended += 1) await endOne()
  await Promise.all([...many, code])
})

test('five networks with many accounts each: a sixth waits for one request of each, and accounts behind one network take turns', async () => {
  const { begun, work, endOne, exclusively } = workshop()
  const many = ['a', 'b', 'c', 'd', 'e'].flatMap((network) =>
    ['x', 'x', 'x', 'y'].map((account) => from(network, account, () => exclusively(`${network}${account}`, work(`${network}${account}`)))),
  )
  await nextTurn()
  expect(begun).toEqual(['ax', 'bx', 'cx', 'dx'])
  const code = from(victim, 'owner', () => exclusively('owner', work('second factor')))
  await nextTurn()
  for (let ended = 0; ended < 2; ended += 1) await endOne()
  expect(begun.slice(4)).toEqual(['ex', 'second factor'])
  for (let ended = 0; ended < 19; ended += 1) await endOne()
  await Promise.all([...many, code])
  expect(begun.filter((name) => name.startsWith('a'))).toEqual(['ax', 'ax', 'ay', 'ax'])
})

test("a hijacked session's requests from elsewhere don't fill the line of the account's owner", async () => {
  const { work, endOne, exclusively } = workshop()
  const ask = (network: string) => from(network, 'owner', () => exclusively('owner', work(network)))
  const many = Array.from({ length: 21 }, () => ask(attacker))
  await nextTurn()
  await expect(ask(attacker)).rejects.toMatchObject({ statusCode: 429 })
  const undo = ask(victim)
  for (let ended = 0; ended < 22; ended += 1) {
    await nextTurn()
    await endOne()
  }
  await Promise.all([...many, undo])
})

test('the work of somebody who leaves while they wait is never begun', async () => {
  const { begun, work, endOne, exclusively } = workshop()
  const gone = new AbortController()
  const request = () => ({ ...newTenancy(undefined, attacker), left: gone.signal })
  const first = runAs(request(), () => exclusively('one', work('begun')))
  const waiting = ['one', 'two'].map((account) => runAs(request(), () => exclusively(account, work(`waiting ${account}`))))
  await nextTurn()
  gone.abort(new Abandoned())
  for (const wait of waiting) await expect(wait).rejects.toThrow(Abandoned)
  await endOne()
  await first
  expect(begun).toEqual(['begun'])
})

test('work that holds a slot never waits in a queue that its own network fills, neither for hashing nor for connections', async () => {
  const { exclusively } = workshop()
  const open: (() => void)[] = []
  const { hash, verify } = limitHashing({
    hash: () => new Promise((end) => open.push(() => end('slow'))),
    verify: () => new Promise((end) => open.push(() => end(true))),
  })
  const line = Array.from({ length: 30 }, () => from(attacker, 'proofs', () => hash('a-password')))
  await nextTurn()
  const hashed = { checked: { hash: 'old', password: 'right', right: true }, made: { password: 'next', hash: 'new' } }
  const change = () =>
    exclusively(
      'owner',
      async () => [tenantNow(), await verify({ hash: 'old', password: 'right' }), await hash('next'), open.length],
      hashed,
    )
  // Two of the thirty are being hashed, before and after.
  expect(await from(attacker, 'owner', change)).toEqual([serverTenant, true, 'new', 2])

  // If nothing was hashed beforehand, nothing gets hashed here, and no password counts as correct.
  const unprepared = from(attacker, 'owner', () => exclusively('owner', () => hash('next')))
  await expect(unprepared).rejects.toMatchObject({ status: 409 })
  const replaced = () => withHashed(hashed, () => verify({ hash: 'replaced since', password: 'right' }))
  expect(await from(attacker, 'owner', replaced)).toBe(false)
  while (open.length > 0) {
    open.shift()?.()
    await nextTurn()
  }
  await Promise.all(line)
})
