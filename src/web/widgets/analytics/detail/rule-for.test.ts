import { expect, test } from 'vitest'
import { newCondition } from '../../../../contract/alerts/conditions.ts'
import { ruleFor } from './rule-for.ts'

test('a page is monitored for its clicks, a query for its position', () => {
  expect(ruleFor({ kind: 'page', name: 'https://a.example/lamps?x=1' })).toEqual({
    type: 'clicks',
    monitor: 'pages',
    targets: ['https://a.example/lamps?x=1'],
    title: 'Clicks drop: /lamps?x=1',
  })
  expect(ruleFor({ kind: 'keyword', name: 'oak lamp' })).toMatchObject({
    type: 'position',
    monitor: 'queries',
    title: 'Position drop: oak lamp',
  })
})

test("a name with “spike” in it doesn't make the rule watch rises", () => {
  expect(ruleFor({ kind: 'keyword', name: 'Spikes for shoes' })?.title).toBe('Position drop')
})

test('whatever the name, the rule is one that the server accepts, or none is offered', () => {
  for (const name of ['💡'.repeat(1_000), 'a'.repeat(2_048), 'מנורה <b>', "javascript:alert('1')"]) {
    expect(newCondition.safeParse(ruleFor({ kind: 'keyword', name })).success).toBe(true)
  }
  expect(ruleFor({ kind: 'page', name: 'a'.repeat(2_049) })).toBeNull()
  expect(ruleFor({ kind: 'page', name: 'a\nb' })).toBeNull()
})
