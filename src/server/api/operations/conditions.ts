import { z } from 'zod'
import { apiConditionEndpoints as endpoints } from '../../../contract/api-v1/alerts.ts'
import { propertyNamed } from '../requested-property.ts'
import { operation, operationsOf, preparedChange, silentChange } from '../operation.ts'
import { partOf } from '../paging.ts'

const property = 'sc-domain:example.com'

export const conditionOperations = operationsOf('Conditions', {
  listConditions: operation(endpoints.listConditions, {
    summary: 'List conditions',
    description: 'The alert rules of a property, oldest first. `problem` says why a rule could not be evaluated.',
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
  createCondition: preparedChange(endpoints.createCondition, {
    summary: 'Create a condition',
    description:
      'Adds a rule to a property. Omitted fields take the defaults for the rule’s type. `segment`, an ID from `listSegments`, limits it to that segment; `searchType` applies it to a search type other than web search. Discover and Google News have neither queries nor positions. A property can have up to 50 rules.',
    example: {
      query: { property },
      body: { type: 'clicks', title: 'Clicks fall by a quarter', threshold: 25, comparison: 'previous_7_days' },
    },
    async handle(context, { query, body }) {
      return context.services.alerts.conditions.creation(await propertyNamed(context, query.property), body)
    },
  }),
  getCondition: operation(endpoints.getCondition, {
    summary: 'Get a condition',
    description: 'Returns one rule.',
    example: { params: { id: '7' } },
    handle: ({ person, services }, { params }) => services.alerts.conditions.one(person.id, params.id),
  }),
  updateCondition: preparedChange(endpoints.updateCondition, {
    summary: 'Change a condition',
    description: 'Changes the given fields. A rule’s type, kind and unit can’t be changed.',
    example: { params: { id: '7' }, body: { threshold: 30, isEnabled: true } },
    handle: ({ person, services }, { params, body }) => services.alerts.conditions.changing(person.id, params.id, body),
  }),
  deleteCondition: silentChange(endpoints.deleteCondition, {
    summary: 'Delete a condition',
    description: 'Deletes a rule and ends its open alerts. Past alerts stay in the history.',
    example: { params: { id: '7' } },
    handle: ({ person, services }, { params }, trx) => services.alerts.conditions.remove(person.id, params.id, trx),
  }),
  backtestCondition: preparedChange(endpoints.backtestCondition, {
    summary: 'Backtest a condition',
    description: 'Returns the days in your stored history on which a rule would have opened alerts. Nothing is saved.',
    example: { query: { property }, body: { type: 'impressions', threshold: 30 } },
    async handle(context, { query, body }) {
      const answer = await context.services.alerts.backtest(context.person.id, await propertyNamed(context, query.property), body)
      return async () => answer
    },
  }),
})
