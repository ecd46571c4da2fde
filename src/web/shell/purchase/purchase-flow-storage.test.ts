import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noPurchase, type PurchaseFlow } from './purchase-flow.ts'
import { keepPurchase, readPurchase } from './purchase-flow-storage.ts'

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

test('a reload brings the purchase back as it was', () => {
  keepPurchase(paying)
  expect(readPurchase()).toEqual(paying)
  expect([...kept.keys()]).toEqual([key])
})

test.each([
  ['complete', { ...paying, isComplete: true }],
  ['reset', noPurchase],
])('nothing is kept once it is %s', (_when, flow) => {
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
])('%s counts as nothing kept', (_what, stored) => {
  kept.set(key, stored)
  expect(readPurchase()).toEqual(noPurchase)
})

test('a browser that forbids storage still lets people buy', () => {
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
