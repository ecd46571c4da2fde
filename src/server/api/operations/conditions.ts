import { z } from 'zod'
import { apiConditionEndpoints as endpoints } from '../../../contract/api-v1/alerts.ts'
import { propertyNamed } from '../asked-property.ts'
import { change, type Operation, operation, silentChange } from '../operation.ts'
import { partOf } from '../paging.ts'

const property = 'sc-domain:example.com'

export const conditionOperations: readonly Operation[] = [
  operation({
    id: 'listConditions',
    endpoint: endpoints.listConditions,
    summary: 'List conditions',
    description: 'The rules of a property by which alerts are opened, oldest first. `problem` says why a rule could not be judged.',
    tag: 'Conditions',
    pages: true,
    example: { query: { property } },
    async handle(context, { query }) {
      const { person, services } = context
      const rules = await services.alerts.conditions.list(await propertyNamed(context, query.property))
      const part = services.cursors.open({ list: 'conditions', userId: person.id, query, position: z.number() })
      return partOf(
        rules,
        part,
        ({ id }) => Number(id),
        ({ id }, after) => Number(id) > after,
      )
    },
  }),
  change({
    id: 'createCondition',
    endpoint: endpoints.createCondition,
    summary: 'Create a condition',
    description: 'A new rule for a property. What is left out takes the default of its type. A property can have up to 50 rules.',
    tag: 'Conditions',
    example: {
      query: { property },
      body: { type: 'clicks', title: 'Clicks fall by a quarter', threshold: 25, comparison: 'previous_7_days' },
    },
    async handle(context, { query, body }) {
      const found = await propertyNamed(context, query.property)
      return (trx) => context.services.alerts.conditions.create(found, body, trx)
    },
  }),
  operation({
    id: 'getCondition',
    endpoint: endpoints.getCondition,
    summary: 'Get a condition',
    description: 'One rule.',
    tag: 'Conditions',
    example: { params: { id: '7' } },
    handle: ({ person, services }, { params }) => services.alerts.conditions.one(person.id, params.id),
  }),
  change({
    id: 'updateCondition',
    endpoint: endpoints.updateCondition,
    summary: 'Change a condition',
    description: 'Changes the fields that are given. Type, kind and unit of a rule stay as they are.',
    tag: 'Conditions',
    example: { params: { id: '7' }, body: { threshold: 30, isEnabled: true } },
    handle:
      ({ person, services }, { params, body }) =>
      (trx) =>
        services.alerts.conditions.change(person.id, params.id, body, trx),
  }),
  silentChange({
    id: 'deleteCondition',
    endpoint: endpoints.deleteCondition,
    summary: 'Delete a condition',
    description: 'Deletes a rule. Alerts that it opened stay in the history.',
    tag: 'Conditions',
    example: { params: { id: '7' } },
    handle:
      ({ person, services }, { params }) =>
      (trx) =>
        services.alerts.conditions.remove(person.id, params.id, trx),
  }),
  change({
    id: 'backtestCondition',
    endpoint: endpoints.backtestCondition,
    summary: 'Backtest a condition',
    description: 'The days of the stored history on which a rule would have opened alerts. Nothing is saved.',
    tag: 'Conditions',
    example: { query: { property }, body: { type: 'impressions', threshold: 30 } },
    async handle(context, { query, body }) {
      const answer = await context.services.alerts.backtest(context.person.id, await propertyNamed(context, query.property), body)
      return async () => answer
    },
  }),
]
