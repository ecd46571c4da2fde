import { describe, expect, test } from 'vitest'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { afterAction, canAcknowledge, canSnooze, withLifeOf } from './alert-life.ts'

type Life = Pick<Alert, 'id' | 'state' | 'snoozedUntil' | 'viewed' | 'verdict'>
const firing: Life = { id: '1', state: 'firing', snoozedUntil: null, viewed: false, verdict: null }
const until = new Date('2026-03-25T08:00:00Z')
const snoozed: Life = { ...firing, state: 'snoozed', snoozedUntil: until.toISOString() }
const recovered: Life = { ...firing, state: 'recovered' }

describe('the effect of an action on an alert', () => {
  test('acknowledging ends a snooze', () => {
    const action = { kind: 'acknowledge', ids: ['1'] } as const
    expect(afterAction(firing, action)).toEqual({ ...firing, state: 'acknowledged' })
    expect(afterAction(snoozed, action)).toEqual({ ...firing, state: 'acknowledged' })
  })

  test('a snooze has an end, and can be ended before', () => {
    expect(afterAction({ ...firing, state: 'acknowledged' }, { kind: 'snooze', ids: ['1'], until })).toEqual(snoozed)
    expect(afterAction(snoozed, { kind: 'unsnooze', ids: ['1'] })).toEqual(firing)
    expect(afterAction(firing, { kind: 'unsnooze', ids: ['1'] })).toEqual(firing)
  })

  test('a recovered alert stays so, but can be viewed', () => {
    expect([canAcknowledge(recovered), canSnooze(recovered)]).toEqual([false, false])
    expect(afterAction(recovered, { kind: 'acknowledge', ids: ['1'] })).toEqual(recovered)
    expect(afterAction(recovered, { kind: 'snooze', ids: ['1'], until })).toEqual(recovered)
    expect(afterAction(recovered, { kind: 'view', ids: ['1'] })).toEqual({ ...recovered, viewed: true })
  })

  test('a rating is stored, and can be removed', () => {
    const rated = afterAction(recovered, { kind: 'rate', ids: ['1'], verdict: 'noise' })
    expect(rated).toEqual({ ...recovered, verdict: 'noise' })
    expect(withLifeOf(rated, recovered)).toEqual(recovered)
    expect(afterAction(rated, { kind: 'rate', ids: ['1'], verdict: null })).toEqual(recovered)
  })

  test("others don't change", () => {
    expect(afterAction(firing, { kind: 'acknowledge', ids: ['2', '3'] })).toBe(firing)
  })
})

test("undoing restores an alert's status, and keeps everything else", () => {
  const shown = { ...snoozed, viewed: true, title: 'as it is now' }
  expect(withLifeOf(shown, firing)).toEqual({ ...firing, title: 'as it is now' })
})
