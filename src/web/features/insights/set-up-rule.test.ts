import { expect, test } from 'vitest'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import type { AlertTemplate } from '../../../contract/alerts/templates.ts'
import { type Condition, defaultConditions } from '../../../core/alerting/defaults.ts'
import { templates as ready } from '../../../core/alerting/templates.ts'
import { setUpRule } from './set-up-rule.ts'

const asRule = ({
  comparison: _comparison,
  minimumImpressions: _minimum,
  sensitivity: _sensitivity,
  targets: _targets,
  segment: _segment,
  ...condition
}: Condition): AlertCondition => ({
  ...condition,
  id: condition.title,
  property: 'https://shop.example/',
  icon: 'alert',
  targets: [],
  monitorOptions: [],
  problem: null,
  leftOut: 0,
})
const templates = ready.map(
  ({ condition: { comparison: _c, minimumImpressions: _m, sensitivity: _s, targets: _t, ...condition }, ...template }) => ({
    ...template,
    condition,
  }),
) satisfies AlertTemplate[]
const rules = ready.map(({ condition }) => asRule(condition))

test.each(templates)('$name is set up by its own rule', (template) => {
  expect(setUpRule(rules, template)?.title).toBe(template.condition.title)
})

test('"Only when unusual" is off in every rule made from a template, except those about nothing else', () => {
  for (const { condition } of ready)
    expect([condition.title, condition.onlyUnusual]).toEqual([condition.title, condition.kind === 'unusual'])
  expect(defaultConditions.every(({ onlyUnusual }) => onlyUnusual)).toBe(true)
})

test("a property's default rules set up no template", () => {
  const first = defaultConditions.map(asRule)
  expect(templates.filter((template) => setUpRule(first, template) !== undefined)).toEqual([])
})

test('a rule stays that of its template with another threshold, or switched off', () => {
  const changed = rules.map((rule) => ({ ...rule, threshold: 42, isEnabled: false }))
  expect(templates.every((template) => setUpRule(changed, template) !== undefined)).toBe(true)
})

test("a rule for another search type, or limited to a segment, doesn't monitor what a template would", () => {
  for (const change of [{ searchType: 'discover' as const }, { segment: '7', segmentName: 'Blog' }]) {
    const others = rules.map((rule) => ({ ...rule, ...change }))
    expect(templates.filter((template) => setUpRule(others, template) !== undefined)).toEqual([])
  }
})

test("a spike and a drop in the same metric aren't the same", () => {
  const spike = rules.filter(({ title }) => title === 'Traffic spike')
  expect(templates.filter((template) => setUpRule(spike, template) !== undefined).map(({ id }) => id)).toEqual(['traffic-spike'])
})
