import { describe, expect, test } from 'vitest'
import { newCondition } from '../../../contract/alerts/conditions.ts'
import { withDefaults } from '../../../core/alerting/defaults.ts'
import { templates } from '../../../core/alerting/templates.ts'
import {
  aboutChanged,
  aboutChoices,
  abouts,
  checkRuleForm,
  defaultAbout,
  formOf,
  newConditionOf,
  type RuleFormValues,
} from './rule-form-values.ts'

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

describe('an alert that becomes about something else', () => {
  const lamps = 'https://site.example/lamps'

  test('keeps the pages or keywords it is about, if that can have some', () => {
    const clicks = { ...start('clicks'), monitor: 'pages', targets: lamps } as const
    expect(aboutChanged(clicks, 'ctr')).toMatchObject({ about: 'ctr', monitor: 'pages', targets: lamps })
    // Keywords are what a rule about positions monitors anyway, but not these.
    const position = { ...start('position'), targets: 'oak lamp' }
    for (const about of ['clicks', 'unusual_ctr', 'lost_query'] as const)
      expect(aboutChanged(position, about)).toMatchObject({ about, monitor: 'queries', targets: 'oak lamp' })
    expect(aboutChanged(clicks, 'unusual_clicks')).toMatchObject({ monitor: 'site', targets: '' })
    expect(aboutChanged(clicks, 'new_page')).toMatchObject({ monitor: 'site', targets: '' })
  })

  test('monitors what is usual for that, unless something else was chosen', () => {
    expect(aboutChanged(start('clicks'), 'ctr').monitor).toBe('top_queries')
    expect(aboutChanged({ ...start('clicks'), monitor: 'site' }, 'ctr').monitor).toBe('site')
  })

  test('keeps its segment unless that can have none', () => {
    const ofBlog = { ...start('clicks'), segment: '7' }
    expect(aboutChanged(ofBlog, 'impressions').segment).toBe('7')
    expect(aboutChanged(ofBlog, 'unusual_ctr').segment).toBe('7')
    expect(aboutChanged(ofBlog, 'unusual_clicks').segment).toBeNull()
  })

  test('keeps a chosen direction; otherwise it is the one in the title, or the usual one', () => {
    expect(aboutChanged({ ...start('clicks'), direction: 'rises' }, 'ctr').direction).toBe('rises')
    expect(aboutChanged({ ...start('clicks'), title: 'A spike', direction: 'rises' }, 'unusual_ctr').direction).toBe('falls')
    expect(aboutChanged({ ...start('unusual_clicks'), title: 'A spike' }, 'clicks').direction).toBe('rises')
    expect(aboutChanged(start('clicks'), 'unusual_clicks').direction).toBe('both')
  })
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
