import { expect, test } from 'vitest'
import { createTurns, rankOf } from './turns.ts'

const today = '2026-11-10'
const ann = (propertyId: number) => ({ propertyId, userId: 'ann' })

test('the last 90 days of the property on screen come first, then other recent days, then history', () => {
  expect(rankOf({ from: '2026-11-04', to: today }, today, true)).toBe('on screen')
  expect(rankOf({ from: '2026-11-04', to: today }, today, false)).toBe('recent')
  expect(rankOf({ from: '2026-08-06', to: '2026-08-12' }, today, true)).toBe('on screen')
  expect(rankOf({ from: '2026-08-05', to: '2026-08-11' }, today, true)).toBe('history')
})

test('history waits for recent days of others, and goes on when they are in', async () => {
  const turns = createTurns()
  const done: string[] = []
  await turns.take(ann(1), 'on screen')
  const recent = turns.take(ann(2), 'recent').then(() => done.push('recent'))
  const history = turns.take(ann(3), 'history').then(() => done.push('history'))
  expect(done).toEqual([])
  turns.leave(ann(1))
  await recent
  expect(done).toEqual(['recent'])
  turns.leave(ann(2))
  await history
  expect(done).toEqual(['recent', 'history'])
})

test('equals do not wait for each other', async () => {
  const turns = createTurns()
  await turns.take(ann(1), 'history')
  await expect(turns.take(ann(2), 'history')).resolves.toBeUndefined()
})

test('a wait ends when the sync is stopped', async () => {
  const turns = createTurns()
  await turns.take(ann(1), 'on screen')
  await expect(turns.take(ann(2), 'history', AbortSignal.abort(new Error('stopping')))).rejects.toThrow('aborted')
})

test('nobody waits for somebody else', async () => {
  const turns = createTurns()
  await turns.take(ann(1), 'on screen')
  await expect(turns.take({ propertyId: 2, userId: 'ben' }, 'history', AbortSignal.abort(new Error('waited')))).resolves.toBeUndefined()
})
