import { expect, test } from 'vitest'
import { planId } from '../../contract/user.ts'
import * as entitlements from './entitlements.ts'
import { planUnder, siteLimitRefusal, siteLimitUnder } from './offer.ts'

const sold = { billing: 'stripe', sitesPerPerson: null } as const
const given = { billing: 'off', sitesPerPerson: null } as const

test.each([
  ['free', 1, null],
  ['free', 2, 'Your Free plan allows up to 1 site(s).'],
  ['pro', 5, null],
  ['pro', 6, 'Your Pro plan allows up to 5 site(s).'],
  ['agency', 25, null],
  ['agency', 26, 'Your Agency plan allows up to 25 site(s).'],
] as const)('where plans are sold, %s with %i sites: %s', (plan, sites, refusal) => {
  expect(siteLimitRefusal(sold, plan, sites)).toBe(refusal)
})

test.each(planId.options)('where nothing is sold, nobody has a plan, and nothing is refused (%s before)', (held) => {
  const plan = planUnder(given, held)
  expect(plan).toBeNull()
  expect(siteLimitUnder(given, held)).toBeNull()
  const { apiRefusal, frequencyRefusal, recipientsRefusal, recipientLimit, channelAvailability: _words, ...refusals } = entitlements
  const all = [
    siteLimitRefusal(given, held, 1_000),
    apiRefusal(plan, 'full'),
    frequencyRefusal(plan, 'instant'),
    recipientsRefusal(plan, recipientLimit(plan)),
    ...Object.values(refusals).map((refusal) => refusal(plan)),
  ]
  expect(all.filter((refusal) => refusal !== null)).toEqual([])
})

test("the owner may limit each user's sites, with a message that names no plan", () => {
  const limited = { ...given, sitesPerPerson: 40 }
  expect(siteLimitRefusal(limited, 'free', 40)).toBeNull()
  expect(siteLimitRefusal(limited, 'agency', 41)).toBe('This installation allows up to 40 site(s) per person.')
})
