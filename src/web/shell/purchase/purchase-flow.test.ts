import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PlanId } from '../../../contract/user.ts'
import { usePurchaseFlow } from './purchase-flow-context.ts'
import {
  afterPurchaseEvent,
  isPurchaseUnderWay,
  keepPurchase,
  mayOpen,
  noPurchase,
  type PurchaseEvent,
  type PurchaseFlow,
  readPurchase,
} from './purchase-flow.ts'

const plans = [null, 'free', 'pro', 'agency'] as const
const statuses = [null, 'processing', 'success', 'failed'] as const
const choices = [[], ['https://one.example/']]

/** Every combination of values in a state. */
const states: PurchaseFlow[] = plans.flatMap((selectedPlan) =>
  statuses.flatMap((paymentStatus) =>
    choices.flatMap((selectedSites) =>
      [false, true].map((isComplete) => ({ ...noPurchase, selectedPlan, paymentStatus, selectedSites, isComplete })),
    ),
  ),
)

const after = (...events: PurchaseEvent[]): PurchaseFlow => events.reduce(afterPurchaseEvent, noPurchase)
const chosen = (plan: PlanId): PurchaseEvent => ({ type: 'planChosen', plan })
const site = 'https://one.example/'

describe('guards', () => {
  test('the plan can always be chosen', () => {
    expect(states.filter((state) => !mayOpen('plan', state))).toEqual([])
  })

  test('payment only requires a selected plan', () => {
    for (const state of states) expect(mayOpen('payment', state)).toBe(state.selectedPlan !== null)
  })

  test('sites require a selected plan and a successful payment', () => {
    for (const state of states) expect(mayOpen('sites', state)).toBe(state.selectedPlan !== null && state.paymentStatus === 'success')
  })

  test('completion requires at least one site and a successful payment', () => {
    for (const state of states) expect(mayOpen('complete', state)).toBe(state.selectedSites.length > 0 && state.paymentStatus === 'success')
  })

  test.each(['payment', 'sites', 'complete'] as const)('%s opens only if its guard allows it', (step) => {
    for (const state of states) {
      const next = afterPurchaseEvent(state, { type: 'stepOpened', step })
      expect(next).toEqual(mayOpen(step, state) ? { ...state, currentStep: step } : state)
    }
  })
})

describe('payment', () => {
  test('goes to processing, then success, which leads to the sites', () => {
    const paying = after(chosen('pro'), { type: 'stepOpened', step: 'payment' }, { type: 'paymentStarted' })
    expect(paying).toMatchObject({ currentStep: 'payment', selectedPlan: 'pro', paymentStatus: 'processing' })
    expect(afterPurchaseEvent(paying, { type: 'paymentSucceeded' })).toMatchObject({ currentStep: 'sites', paymentStatus: 'success' })
  })

  test('that fails stays at payment, and can be retried', () => {
    const failed = after(chosen('pro'), { type: 'paymentStarted' }, { type: 'paymentFailed' })
    expect(failed).toMatchObject({ currentStep: 'payment', selectedPlan: 'pro', paymentStatus: 'failed' })
    expect(mayOpen('sites', failed)).toBe(false)
    expect(afterPurchaseEvent(failed, { type: 'paymentStarted' })).toMatchObject({ paymentStatus: 'processing' })
  })

  test.each(['paymentStarted', 'paymentSucceeded', 'paymentFailed'] as const)(
    '%s has no effect without a plan, or once all is done',
    (type) => {
      for (const state of states.filter((known) => !isPurchaseUnderWay(known))) expect(afterPurchaseEvent(state, { type })).toBe(state)
    },
  )
})

describe('choosing a plan', () => {
  test('another plan has to be paid for again, whatever was paid before', () => {
    for (const state of states.filter((known) => known.selectedPlan !== 'agency')) {
      expect(afterPurchaseEvent(state, chosen('agency'))).toEqual({ ...noPurchase, selectedPlan: 'agency' })
    }
  })

  test('the same plan again loses nothing', () => {
    for (const state of states.filter((known) => known.selectedPlan === 'pro' && !known.isComplete)) {
      expect(afterPurchaseEvent(state, chosen('pro'))).toBe(state)
    }
  })

  test('after a completed setup starts a new one', () => {
    const done = after(chosen('pro'), { type: 'paymentSucceeded' }, { type: 'sitesChosen', sites: [site] }, { type: 'completed' })
    expect(afterPurchaseEvent(done, chosen('pro'))).toEqual({ ...noPurchase, selectedPlan: 'pro' })
  })
})

describe('sites', () => {
  test('can be selected only once the plan is paid for', () => {
    for (const state of states) {
      const next = afterPurchaseEvent(state, { type: 'sitesChosen', sites: ['sc-domain:two.example'] })
      const allowed = mayOpen('sites', state) && !state.isComplete
      expect(next.selectedSites).toEqual(allowed ? ['sc-domain:two.example'] : state.selectedSites)
    }
  })

  test('completing marks the flow as done, and requires what its guard checks', () => {
    for (const state of states) {
      const next = afterPurchaseEvent(state, { type: 'completed' })
      expect(next).toEqual(mayOpen('complete', state) ? { ...state, currentStep: 'complete', isComplete: true } : state)
    }
  })
})

test('a purchase is in progress from the choice of a plan until its completion', () => {
  for (const state of states) expect(isPurchaseUnderWay(state)).toBe(state.selectedPlan !== null && !state.isComplete)
})

describe('whose purchase it is', () => {
  const signedIn = (userId: string, hasPlan = false): PurchaseEvent => ({ type: 'signedIn', userId, hasPlan })

  test('a visitor’s continues once they are signed in, and is theirs from then on', () => {
    for (const state of states.filter((each) => each.selectedPlan !== null)) {
      const ann = afterPurchaseEvent(state, signedIn('ann'))
      expect(ann).toEqual({ ...state, owner: 'ann' })
      expect(afterPurchaseEvent(ann, signedIn('ann'))).toBe(ann)
    }
  })

  test('a visitor’s choice never overrides an existing plan', () => {
    for (const state of states.filter((each) => each.selectedPlan !== null)) {
      expect(afterPurchaseEvent(state, signedIn('ann', true))).toEqual(noPurchase)
    }
  })

  test('signed-in users with a plan who choose another one buy that', () => {
    const chosenByAnn = after({ type: 'planChosen', plan: 'agency', by: 'ann' })
    expect(chosenByAnn).toEqual({ ...noPurchase, selectedPlan: 'agency', owner: 'ann' })
    expect(afterPurchaseEvent(chosenByAnn, signedIn('ann', true))).toBe(chosenByAnn)
  })

  test('the next user starts over', () => {
    for (const state of states.filter((each) => each.selectedPlan !== null)) {
      expect(afterPurchaseEvent({ ...state, owner: 'ann' }, signedIn('ben'))).toEqual(noPurchase)
    }
  })

  test('without a purchase there is nothing to own', () => {
    expect(afterPurchaseEvent(noPurchase, signedIn('ann'))).toBe(noPurchase)
  })
})

test('a reset clears everything', () => {
  for (const state of states) expect(afterPurchaseEvent(state, { type: 'reset' })).toEqual(noPurchase)
})

test('using the onboarding helpers outside their provider is an error', () => {
  const Outside = () => createElement('p', null, usePurchaseFlow().flow.currentStep)
  expect(() => renderToString(createElement(Outside))).toThrow('usePurchaseFlow must be used inside PurchaseFlowProvider')
})

const key = 'ranklark-purchase-flow'
const paying: PurchaseFlow = { ...noPurchase, currentStep: 'payment', selectedPlan: 'pro', paymentStatus: 'processing' }

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('a reload restores the purchase', () => {
  keepPurchase(paying)
  expect(readPurchase()).toEqual(paying)
  expect([...kept.keys()]).toEqual([key])
})

test.each([
  ['complete', { ...paying, isComplete: true }],
  ['reset', noPurchase],
])('nothing is stored once it is %s', (_when, flow) => {
  keepPurchase(paying)
  keepPurchase(flow)
  expect(kept.size).toBe(0)
  expect(readPurchase()).toEqual(noPurchase)
})

test.each([
  ['no JSON', '{'],
  ['another shape', '{"selectedPlan":"pro"}'],
  ['an unknown plan', JSON.stringify({ ...paying, selectedPlan: 'gold' })],
  ['an unknown payment status', JSON.stringify({ ...paying, paymentStatus: 'paid' })],
  ['a purchase that is over', JSON.stringify({ ...paying, isComplete: true })],
])('%s counts as nothing stored', (_what, stored) => {
  kept.set(key, stored)
  expect(readPurchase()).toEqual(noPurchase)
})

test('a browser that forbids storage still allows purchases', () => {
  vi.stubGlobal('sessionStorage', {
    getItem() {
      throw new Error('forbidden')
    },
    setItem() {
      throw new Error('forbidden')
    },
    removeItem() {
      throw new Error('forbidden')
    },
  })
  keepPurchase(paying)
  keepPurchase(noPurchase)
  expect(readPurchase()).toEqual(noPurchase)
})
