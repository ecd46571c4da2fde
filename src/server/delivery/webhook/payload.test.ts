import { expect, test } from 'vitest'
import { alertsOf, anItem } from '../../../../test/support/messages.ts'
import { payloadOf } from './payload.ts'

const payload = (item: Parameters<typeof anItem>[0]) =>
  payloadOf({ message: alertsOf([anItem(item)]), baseUrl: 'https://ranklark.test', writtenAt: new Date('2026-11-12T07:00:00Z') })

test('an alert has its first day and what was expected, if they are known', () => {
  const known = { firstDay: '2026-11-04', expected: { value: 1_190, low: 1_080.4, high: 1_310.2, months: 8 } }
  expect(payload(known)).toMatchObject({ alerts: [known] })
  expect(JSON.stringify(payload({}))).not.toMatch(/firstDay|expected"/)
})
