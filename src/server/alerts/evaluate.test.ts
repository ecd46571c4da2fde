import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../contract/alerts/conditions.ts'
import { addDays } from '../../core/analytics/days.ts'

// How the store is queried, on the real stores without the rest of the server.

const through = '2026-03-15'
const oldest = addDays(through, -200)
const rules: NewCondition[] = [
  { type: 'clicks', title: 'Pages', monitor: 'pages', targets: ['/lamp'] },
  { type: 'clicks', kind: 'unusual', title: 'Unusual', monitor: 'site' },
]
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

async function steadySites(count: number) {
  for (let n = 0; n < count; n++) {
    const site = await evaluated.property(`https://asked${++sites}.example/`, { through, rules })
    await site.store(oldest, through, () => [{ page: '/lamp', clicks: 100 }])
    await site.backfilled(oldest, oldest)
  }
}

/** Evaluates what is due; returns how many questions are asked at the same time if each waits this long for another. */
async function askedTogether(waitMs: number): Promise<number> {
  const meet = Promise.withResolvers<void>()
  let now = 0
  let most = 0
  const asking = async () => {
    now += 1
    most = Math.max(most, now)
    if (now > 1) meet.resolve()
    await Promise.race([meet.promise, sleep(waitMs)])
    now -= 1
  }
  // The questions of rules with a threshold, and of smart ones.
  Object.assign(evaluated.meanwhile, { happens: asking, daily: asking })
  await evaluated.alerts.runDue()
  return most
}

test("the questions of one property's rules are asked at the same time", { tags: ['full'] }, async () => {
  await steadySites(1)
  expect(await askedTogether(20_000)).toBe(2)
})

test("those of many aren't: each answer may be large", { tags: ['full'] }, async () => {
  await steadySites(2)
  expect(await askedTogether(500)).toBe(1)
})
