import { expect, test } from 'vitest'
import { type Alert, alert as alertShape } from '../../../contract/alerts/alerts.ts'
import { mostSevere } from './most-severe.ts'

let made = 0
const alert = (severity: string, state: Alert['state'] = 'firing'): Alert =>
  alertShape.parse({
    id: String((made += 1)),
    severity,
    timestamp: '2026-03-18T12:00:00.000Z',
    target: 'https://example.com/',
    viewed: false,
    state,
    snoozedUntil: state === 'snoozed' ? '2026-03-20T12:00:00.000Z' : null,
    entity: { kind: 'site', name: 'https://example.com/' },
    change: null,
    current: null,
    previous: null,
    conditionId: null,
    action: null,
  })
const chosen = (...alerts: Alert[]) => mostSevere(alerts)?.severity ?? null

test('the chosen alert has the worst severity there is', () => {
  expect(chosen(alert('positive'), alert('warning'), alert('critical'))).toBe('critical')
  expect(chosen(alert('info'), alert('warning'), alert('warning'), alert('warning'))).toBe('warning')
  expect(chosen(alert('positive'), alert('info'))).toBe('info')
  expect(chosen()).toBeNull()
})

test('the latest of them', () => {
  const [first, second, third] = [alert('warning'), alert('warning'), alert('warning')]
  expect(mostSevere([first, second, third])).toBe(first)
})

test("acknowledged or snoozed alerts don't count", () => {
  expect(chosen(alert('critical', 'acknowledged'), alert('critical', 'snoozed'), alert('positive'))).toBe('positive')
  expect(chosen(alert('critical', 'acknowledged'))).toBeNull()
})
