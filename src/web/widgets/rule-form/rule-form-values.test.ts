import { describe, expect, test } from 'vitest'
import { newCondition } from '../../../contract/alerts/conditions.ts'
import { withDefaults } from '../../../core/alerting/defaults.ts'
import { templates } from '../../../core/alerting/templates.ts'
import { aboutChoices, abouts, checkRuleForm, defaultAbout, formOf, newConditionOf, type RuleFormValues } from './rule-form-values.ts'

const start = (about: (typeof abouts.options)[number]): RuleFormValues => formOf(defaultAbout(about))

test('every kind of alert can be selected, and the selection is what the server gets', () => {
  expect(aboutChoices.map(({ label }) => label)).toEqual([
    'Clicks',
    'CTR',
    'Impressions',
    'Position',
    'Unusual clicks',
    'Unusual impressions',
    'Unusual CTR',
    'Unusual positions',
    'New keywords',
    'Lost rankings',
    'New ranking pages',
  ])
  for (const about of abouts.options) {
    const sent = newCondition.parse(newConditionOf({ ...start(about), title: 'Mine' }))
    expect(formOf(withDefaults(sent))).toEqual({ ...start(about), title: 'Mine' })
  }
})

test('every template fits into the form', () => {
  for (const { condition } of templates) {
    const { title, monitor, threshold } = condition
    expect(newConditionOf(formOf(condition))).toMatchObject({ type: condition.type, kind: condition.kind, title, monitor, threshold })
  }
})

describe('limits (SPEC §5)', () => {
  async function problems(
    about: Parameters<typeof start>[0],
    change: Partial<RuleFormValues>,
  ): Promise<Record<string, string | undefined>> {
    const options = { fields: {}, shouldUseNativeValidation: false }
    const { errors } = await checkRuleForm({ ...start(about), title: 'Mine', ...change }, undefined, options)
    return Object.fromEntries(
      Object.entries(errors).map(([field, error]) => [field, 'message' in error ? String(error.message) : undefined]),
    )
  }

  test('the defaults keep them', async () => {
    for (const about of abouts.options) expect(await problems(about, {})).toEqual({})
  })

  test('a percentage is at most 100, a number of positions may be more', async () => {
    expect(await problems('clicks', { threshold: 1001 })).toEqual({ threshold: "A percentage can't be over 100" })
    expect(await problems('position', { threshold: 101 })).toEqual({})
    expect(await problems('new_query', { threshold: 1001 })).toEqual({ threshold: 'The threshold can be up to 1,000' })
  })

  test('all errors are shown at once, each at its field', async () => {
    expect(await problems('ctr', { title: ' ', threshold: 0, minimumImpressions: Number.NaN })).toEqual({
      title: 'Give the rule a title',
      threshold: 'The threshold must be at least 1',
      minimumImpressions: 'Enter a number',
    })
  })
})
