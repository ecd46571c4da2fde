import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairShare, type Places, TooManyRequests } from './fair-share.ts'
import { forTenant, keepTenant, nameTenant, newTenancy, tenantNow, runAs } from './tenant.ts'

/** Work that records its start and ends on command. */
function workshop(places: { places: number; perTenant: number }) {
  const share = createFairShare(places)
  const begun: string[] = []
  const open: (() => void)[] = []
  const enter = (tenant: string, name: string, rank = 0) =>
    share.run(
      tenant,
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => open.push(resolve))
      },
      { rank },
    )
  const endOne = async () => {
    open.shift()?.()
    await nextTurn()
  }
  return { share, begun, enter, endOne }
}

test('while one has forty reports waiting, another is served next', async () => {
  const { begun, enter, endOne } = workshop({ places: 4, perTenant: 3 })
  const all = Array.from({ length: 43 }, (_, i) => enter('ann', `ann ${i}`))
  await nextTurn()
  // A place is free for somebody else, however much one tenant has waiting.
  expect(begun).toEqual(['ann 0', 'ann 1', 'ann 2'])
  all.push(enter('ben', 'ben 0'), enter('ben', 'ben 1'))
  await nextTurn()
  expect(begun.at(-1)).toBe('ben 0')
  await endOne()
  expect(begun.at(-1)).toBe('ann 3')
  await endOne()
  expect(begun.at(-1)).toBe('ben 1')
  for (let ended = 0; ended < 45; ended += 1) await endOne()
  await Promise.all(all)
  expect(begun).toHaveLength(45)
})

/** Places on a clock set by hand. */
function timed(places: Omit<Places, 'byTime'>) {
  let ms = 0
  const share = createFairShare({ ...places, byTime: { latelyMs: 60_000, manyMs: 20_000, perTenant: 2, now: () => ms } })
  const begun: string[] = []
  const open: { tenant: string; leave: () => void }[] = []
  async function hold(tenant: string): Promise<void> {
    const leave = await share.enter(tenant)
    begun.push(tenant)
    open.push({ tenant, leave })
  }
  const enter = (tenant: string) => void hold(tenant)
  return {
    begun,
    enter,
    pass: (seconds: number) => void (ms += seconds * 1_000),
    holding: (tenant: string) => open.filter((each) => each.tenant === tenant).length,
    async endOne(tenant: string) {
      const at = open.findIndex((each) => each.tenant === tenant)
      open.splice(at, 1)[0]?.leave()
      await nextTurn()
    },
  }
}

test('two users whose queries take twenty seconds leave half of the places to those with short ones, and come after them', async () => {
  const { begun, enter, pass, holding, endOne } = timed({ places: 8, perTenant: 4 })
  const slow = ['ann', 'ben']
  for (const user of slow) for (let each = 0; each < 20; each += 1) enter(user)
  await nextTurn()
  expect(slow.map(holding)).toEqual([4, 4])
  enter('cy')
  pass(20)
  await endOne('ann')
  // Whoever used nothing lately is first.
  expect(begun.at(-1)).toBe('cy')
  for (let each = 0; each < 3; each += 1) await endOne('ann')
  for (let each = 0; each < 4; each += 1) await endOne('ben')
  expect(slow.map(holding)).toEqual([2, 2])
  // Places are free at once, for as many short queries as there are.
  for (let each = 0; each < 5; each += 1) {
    await endOne('cy')
    enter('cy')
    await nextTurn()
    expect(begun.at(-1)).toBe('cy')
  }
})

test('someone whose queries were slow gets their full share again some minutes later', async () => {
  const { enter, pass, holding, endOne } = timed({ places: 8, perTenant: 4 })
  const fill = async () => {
    for (let each = 0; each < 6; each += 1) enter('ann')
    await nextTurn()
  }
  await fill()
  pass(20)
  for (let each = 0; each < 6; each += 1) await endOne('ann')
  expect(holding('ann')).toBe(0)
  await fill()
  expect(holding('ann')).toBe(2)
  for (let each = 0; each < 6; each += 1) await endOne('ann')
  pass(180)
  await fill()
  expect(holding('ann')).toBe(4)
})

test('places kept for the server are free although users want all of them', async () => {
  const { begun, enter, pass, holding, endOne } = timed({ places: 8, perTenant: 4, reserved: { tenant: '', places: 1 } })
  for (const user of ['ann', 'ben', 'cy']) for (let each = 0; each < 8; each += 1) enter(user)
  await nextTurn()
  expect(begun).toHaveLength(7)
  enter('')
  await nextTurn()
  expect(holding('')).toBe(1)
  // However long its queries take, the server's next one begins at once.
  pass(60)
  await endOne('')
  expect(holding('')).toBe(0)
  enter('')
  await nextTurn()
  expect(holding('')).toBe(1)
})

test("of one user's waiting work the lowest rank goes first, and turns precede ranks", async () => {
  const { begun, enter, endOne } = workshop({ places: 1, perTenant: 1 })
  const all = [enter('ann', 'first'), enter('ann', 'a90', 90), enter('ann', 'a7', 7), enter('ann', 'a28', 28), enter('ben', 'b400', 400)]
  await nextTurn()
  for (let ended = 0; ended < 5; ended += 1) await endOne()
  await Promise.all(all)
  expect(begun).toEqual(['first', 'a7', 'b400', 'a28', 'a90'])
})

test('a failure frees its place, and freeing it twice counts once', async () => {
  const share = createFairShare({ places: 1, perTenant: 1 })
  await expect(share.run('ann', () => Promise.reject(new Error('cannot be made')))).rejects.toThrow('cannot be made')
  const leave = await share.enter('ann')
  leave()
  leave()
  const [one, two] = [share.enter('ann'), share.enter('ben')]
  expect(await one).toBeTypeOf('function')
  expect(await Promise.race([two.then(() => 'entered'), nextTurn('still waiting')])).toBe('still waiting')
})

test('leaving the line works, and nobody waits for those who left', async () => {
  const share = createFairShare({ places: 1, perTenant: 1 })
  const leave = await share.enter('ann')
  const stop = new AbortController()
  const given = share.enter('ben', { signal: stop.signal })
  const next = share.enter('cy')
  stop.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  leave()
  expect(await next).toBeTypeOf('function')
  await expect(share.enter('ben', { signal: AbortSignal.abort(new Error('gone before')) })).rejects.toThrow('gone before')
})

test('one user can have a limited number waiting; another still gets in', async () => {
  const share = createFairShare({ places: 1, perTenant: 1, waitingPerTenant: 2 })
  const leave = await share.enter('ann')
  const waiting = [share.enter('ann'), share.enter('ann')]
  await expect(share.enter('ann')).rejects.toThrow(TooManyRequests)
  waiting.push(share.enter('ben'))
  leave()
  await Promise.all(waiting.map(async (entered) => (await entered)()))
  expect(await share.enter('ann')).toBeTypeOf('function')
})

test('work within a request is done for the user it names, and stays theirs when it is read later', async () => {
  const request = newTenancy()
  const pieces = await runAs(request, async () => {
    expect(tenantNow()).toBe('')
    await nextTurn()
    await nameTenant('ann')
    expect(tenantNow()).toBe('ann')
    return keepTenant(
      (async function* () {
        yield tenantNow()
        await nextTurn()
        yield tenantNow()
      })(),
    )
  })
  const read = await forTenant('ben', async () => Array.fromAsync(pieces))
  expect(read).toEqual(['ann', 'ann'])
  expect(tenantNow()).toBe('')
})
