import { expect, test } from 'vitest'
import { named, nothing } from './make-run.ts'

test('a report that leaves out many properties names ten of them, and truncates long names: a list shows fifty such reports', () => {
  expect(named(['https://a.example/', 'sc-domain:b.example'])).toBe('https://a.example/, b.example')
  const many = Array.from({ length: 100 }, (_, at) => `https://${at}.example/${'x'.repeat(2_000)}`)
  expect(named(many)).toMatch(/^https:\/\/0\.example\/x+…, .*https:\/\/9\.example\/x+…, and 90 more$/)
  expect(named(many).length).toBeLessThan(2_100)
})

test('a report without data names its property as people call it', () => {
  const period = { start: '2026-02-01', end: '2026-02-28' }
  const words = nothing({ title: 'sc-domain:example.com', properties: [null] }, period)
  expect(words).toBe("example.com doesn't have complete data for 1–28 Feb 2026.")
})
