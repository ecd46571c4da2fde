import { expect, test } from 'vitest'
import { storedPartsOf } from './bounds.ts'
import type { Finding } from './evaluate.ts'

const page = (name: string, current: number): Finding => ({
  ruleId: '1',
  metric: 'clicks',
  entity: { kind: 'page', name },
  previous: 100,
  current,
  change: current - 100,
  severity: 'warning',
  windows: {
    current: { start: '2026-03-09', end: '2026-03-15' },
    base: { start: '2026-03-02', end: '2026-03-08' },
    scale: 1,
  },
})

test('an alert stores the hundred parts that changed most', () => {
  const parts = storedPartsOf(Array.from({ length: 150 }, (_, at) => page(`/${at}`, at % 100)))
  expect(parts).toHaveLength(100)
  expect(parts.map(({ entity }) => entity.name)).toContain('/0')
  expect(parts.map(({ entity }) => entity.name)).not.toContain('/99')
})

test('it stores only a few if their names have thousands of characters', () => {
  const long = Array.from({ length: 100 }, (_, at) => page('x'.repeat(8_000) + at, 0))
  expect(storedPartsOf(long)).toHaveLength(2)
})
