import {
  type AlertCondition,
  alertCondition,
  type BacktestAnswer,
  conditionChange,
  type NewCondition,
  newCondition,
} from '../../../src/contract/alerts/conditions.ts'
import type { AlertTemplate } from '../../../src/contract/alerts/templates.ts'
import { fourConditions, withDefaults } from '../../../src/core/alerting/defaults.ts'
import { comparisonOptions, iconOf, monitorOptions } from '../../../src/core/alerting/options.ts'
import { templates } from '../../../src/core/alerting/templates.ts'
import { Refusal } from '../../../src/server/common/errors.ts'
import type { Asked, Desk } from './desk.ts'
import { shop } from './usual.ts'

/** A rule as completed by the server: with its type's defaults for missing fields. */
export function ruleOf(given: NewCondition, change: Partial<AlertCondition> = {}): AlertCondition {
  const { comparison, minimumImpressions, sensitivity, targets, segment, ...rest } = withDefaults(given)
  return {
    id: 'rule',
    property: shop,
    ...rest,
    icon: iconOf(rest.type),
    targets: [...targets],
    ...(segment !== null && { segment }),
    monitorOptions: [...monitorOptions(rest)],
    ...(comparison !== null && { comparison, comparisonOptions: [...comparisonOptions] }),
    ...(minimumImpressions !== null && { minimumImpressions }),
    ...(sensitivity !== null && { sensitivity }),
    problem: null,
    leftOut: 0,
    ...change,
  }
}

/** The first four that every property comes with. */
export const firstRules = (property = shop): AlertCondition[] =>
  fourConditions.map(({ type, isEnabled }) => ruleOf({ type, isEnabled }, { id: `${type}-${property.replaceAll(/\W/g, '-')}`, property }))

/** Not enough history for a backtest. */
export const nothingKnown: BacktestAnswer = { from: null, through: null, days: [], alertsAYear: null, usual: null, expected: null }

/**
 * The backtest over two weeks, for a page that lost an eighth of its clicks in the second: a rule about drops in clicks of up to 12% would
 * have alerted on one day.
 */
export function backtestOfDrop(page: string): (asked: Pick<Asked, 'body'>) => BacktestAnswer {
  return ({ body }) => {
    const { type, direction = 'falls', threshold = 0 } = newCondition.parse(body)
    const isFound = type === 'clicks' && direction === 'falls' && threshold <= 12
    return {
      from: '2026-03-01',
      through: '2026-03-15',
      days: isFound ? [{ date: '2026-03-14', alerts: 1, silenced: 0, entities: [page] }] : [],
      alertsAYear: null,
      usual: null,
      expected: null,
    }
  }
}

/** The current rules; a test may change them, as somebody elsewhere would. */
export type KeptRules = { rules: readonly AlertCondition[] }

/** Lets rules be listed, created, changed, copied and deleted as on the server. */
export function keepRules(desk: Desk, first: readonly AlertCondition[] = firstRules()): KeptRules {
  const kept: KeptRules = { rules: first }
  let made = 0
  const find = (id: string | undefined): AlertCondition => {
    const rule = kept.rules.find((each) => each.id === id)
    if (rule === undefined) throw new Refusal(404, "This rule doesn't exist or isn't yours.")
    return rule
  }
  const add = (rule: AlertCondition): AlertCondition => {
    kept.rules = [...kept.rules, rule]
    return rule
  }
  const nextId = () => `made-${(made += 1)}`
  const propertyOf = ({ query }: Asked) => query.get('property') ?? shop

  desk.answer('GET /api/alert-conditions', (asked) => kept.rules.filter(({ property }) => property === propertyOf(asked)))
  desk.answer('POST /api/alert-conditions', (asked) =>
    add(ruleOf(newCondition.parse(asked.body), { id: nextId(), property: propertyOf(asked) })),
  )
  desk.answer('PATCH /api/alert-conditions/:id', ({ params, body }) => {
    const { segment, ...change } = conditionChange.parse(body)
    const limited = segment === undefined ? {} : { segment: segment ?? undefined }
    const changed = alertCondition.parse({ ...find(params['id']), ...change, ...limited, problem: null, leftOut: 0 })
    kept.rules = kept.rules.map((rule) => (rule.id === changed.id ? changed : rule))
    return changed
  })
  desk.answer('POST /api/alert-conditions/:id/duplicate', ({ params }) => {
    const rule = find(params['id'])
    return add({ ...rule, id: nextId(), title: `${rule.title} (copy)`, isEnabled: false })
  })
  desk.answer('DELETE /api/alert-conditions/:id', ({ params }) => {
    const { id } = find(params['id'])
    kept.rules = kept.rules.filter((rule) => rule.id !== id)
    return null
  })
  desk.answer('POST /api/alert-conditions/backtest', nothingKnown)
  desk.answer('GET /api/alert-templates', allTemplates())
  return kept
}

/** The product's own templates, each with its settings. */
const allTemplates = (): AlertTemplate[] =>
  templates.map(({ condition: { targets, comparison, minimumImpressions, sensitivity, ...condition }, ...template }) => ({
    ...template,
    condition: {
      ...condition,
      targets: [...targets],
      ...(comparison !== null && { comparison }),
      ...(minimumImpressions !== null && { minimumImpressions }),
      ...(sensitivity !== null && { sensitivity }),
    },
  }))
