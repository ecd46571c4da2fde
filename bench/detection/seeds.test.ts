import { expect, test } from 'vitest'
import { seedGroups, seedOf, type SeedSet, seedSets, seedsPerGroup, seedsPerSize } from './seeds.ts'

const all = (set: SeedSet): number[] =>
  seedGroups.flatMap((group) =>
    Array.from({ length: seedsPerGroup / seedsPerSize }, (_, size) => size).flatMap((size) =>
      [0, 1, 39, seedsPerSize - 1].map((site) => seedOf(set)(group, { site, size })),
    ),
  )

test('the seeds for choosing constants and those of the table have nothing in common', () => {
  const [table, tuning] = [all('table'), all('tuning')]
  expect(new Set([...table, ...tuning]).size).toBe(table.length + tuning.length)
  const span = (seeds: readonly number[]) => [Math.min(...seeds), Math.max(...seeds)] as const
  expect(span(table)[1]).toBeLessThan(span(tuning)[0])
  // Constants were first chosen on seeds below a million, and the first table was measured there.
  expect(Math.min(...Object.values(seedSets))).toBeGreaterThan(1_000_000)
})

test('no group or size reaches into the next', () => {
  expect(() => seedOf('table')('sites', { site: seedsPerSize })).toThrow(RangeError)
  expect(() => seedOf('table')('sites', { site: 0, size: seedsPerGroup / seedsPerSize })).toThrow(RangeError)
})
