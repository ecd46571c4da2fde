import { expect, test } from 'vitest'
import { named } from './make-run.ts'

test('a report that leaves out many properties names ten of them, and truncates long names: a list shows fifty such reports', () => {
  expect(named(['https://a.example/', 'sc-domain:b.example'])).toBe('https://a.example/, sc-domain:b.example')
  const many = Array.from({ length: 100 }, (_, at) => `https://${at}.example/${'x'.repeat(2_000)}`)
  expect(named(many)).toMatch(/^https:\/\/0\.example\/x+…, .*https:\/\/9\.example\/x+…, and 90 more$/)
  expect(named(many).length).toBeLessThan(2_100)
})
