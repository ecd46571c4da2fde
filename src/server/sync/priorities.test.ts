import { expect, test } from 'vitest'
import { createPriorities, rankOf } from './priorities.ts'

const today = '2026-11-10'
const ann = (propertyId: number) => ({ propertyId, userId: 'ann' })

test('the last 90 days of the property on screen come first, then other recent days, then history', () => {
  expect(rankOf({ from: '2026-11-04', to: today }, today, true)).toBe('on screen')
  expect(rankOf({ from: '2026-11-04', to: today }, today, false)).toBe('recent')
  expect(rankOf({ from: '2026-08-06', to: '2026-08-12' }, today, true)).toBe('on screen')
  expect(rankOf({ from: '2026-08-05', to: '2026-08-11' }, today, true)).toBe('history')
})

test("history waits for others' recent days, and continues when they are in", async () => {
  const priorities = createPriorities()
  const done: string[] = []
  await priorities.take(ann(1), 'on screen')
  const recent = priorities.take(ann(2), 'recent').then(() => done.push('recent'))
  const history = priorities.take(ann(3), 'history').then(() => done.push('history'))
  expect(done).toEqual([])
  priorities.leave(ann(1))
  await recent
  expect(done).toEqual(['recent'])
  priorities.leave(ann(2))
  await history
  expect(done).toEqual(['recent', 'history'])
})

test("equals don't wait for each other", async () => {
  const priorities = createPriorities()
  await priorities.take(ann(1), 'history')
  await expect(priorities.take(ann(2), 'history')).resolves.toBeUndefined()
})

test('a wait ends when the sync is stopped', async () => {
  const priorities = createPriorities()
  await priorities.take(ann(1), 'on screen')
  await expect(priorities.take(ann(2), 'history', AbortSignal.abort(new Error('stopping')))).rejects.toThrow('aborted')
})

test("users don't wait for each other", async () => {
  const priorities = createPriorities()
  await priorities.take(ann(1), 'on screen')
  await expect(
    priorities.take({ propertyId: 2, userId: 'ben' }, 'history', AbortSignal.abort(new Error('waited'))),
  ).resolves.toBeUndefined()
})
