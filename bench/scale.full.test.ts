import { beforeAll, expect, test } from 'vitest'
import { scaleReport } from './scale-report.ts'
import { measureStep, type Step } from './scale-step.ts'

const properties = 10
const days = 7

let step: Step
beforeAll(async () => {
  step = await measureStep({ properties, days, fetched: true, roundSeconds: 240, idleSeconds: 0, readSeconds: 1 })
}, 480_000)

test('history is requested as docs/decisions/0004 says, by the count of Google’s stand-in', () => {
  const chunks = Math.ceil(days / 7)
  expect(step.backfill?.asked.bySearch).toMatchObject({
    'date+page': properties * chunks,
    'date+query': properties * chunks,
    'date+device': properties * chunks,
    'date+country': properties * chunks,
  })
  // Days without figures aren't requested, such as one that has only begun.
  expect([days - 1, days]).toContain((step.backfill?.asked.bySearch['date+query+page'] ?? 0) / properties)
})

test('the daily round reaches every property, and stores the rows that Google has', () => {
  expect(step.round.done).toBe(properties)
  expect(step.round.asked.search).toBeGreaterThanOrEqual(properties)
  expect(step.atGoogle).toBeGreaterThan(properties * days)
  expect(step.kept.currentRows).toBe(step.atGoogle)
})

test('dashboards are read without an error', () => {
  expect(step.reads.errors).toBe(0)
})

test('the tables show what was measured, and mark what is computed', () => {
  const report = scaleReport([step])
  const { asked } = step.backfill ?? { asked: { search: Number.NaN } }
  expect(report).toContain(
    `| ${properties} | ${properties * days} | ${asked.search} | ${(asked.search / (properties * days)).toFixed(2)} |`,
  )
  expect(report).toContain(`| ${properties} | ${properties} | ${(step.round.asked.search / properties).toFixed(1)} |`)
  const rows = step.atGoogle?.toLocaleString('en')
  expect(report).toContain(`${properties} properties: ${rows} rows of final days are stored; Google has ${rows}.`)
  expect(report).toContain('### A million properties, computed from the round of 10 properties')
})

test('a store with other rows than Google is reported', () => {
  expect(scaleReport([{ ...step, atGoogle: 1 }])).toContain('**they differ**')
})
