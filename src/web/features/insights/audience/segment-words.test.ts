import { expect, test } from 'vitest'
import { clicksSummary, deviceName } from './segment-words.ts'

const row = (name: string, clicks: number) => ({ name, clicks, impressions: clicks * 10, ctr: 0.1, position: 5, previous: null })

test('devices have their names, unknown ones as Google calls them', () => {
  expect(['DESKTOP', 'MOBILE', 'TABLET', 'SMART_TV'].map(deviceName)).toEqual(['Desktop', 'Mobile', 'Tablet', 'SMART_TV'])
})

test('the parts of all clicks are summed up, the first three by name', () => {
  const rows = [row('MOBILE', 600), row('DESKTOP', 300), row('TABLET', 90), row('SMART_TV', 10)]
  expect(clicksSummary(rows, deviceName)).toBe('Of 1,000 clicks: Mobile 60%, Desktop 30%, Tablet 9%.')
  expect(clicksSummary([row('MOBILE', 0)], deviceName)).toBe('No clicks in this period.')
})
