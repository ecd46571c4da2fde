import { z } from 'zod'
import { type ApiProperty, apiPropertyEndpoints as endpoints } from '../../../contract/api-v1/properties.ts'
import { operation, operationsOf } from '../operation.ts'
import { partOf } from '../paging.ts'

export const propertyOperations = operationsOf('Properties', {
  listProperties: operation(endpoints.listProperties, {
    summary: 'List properties',
    description:
      'Your properties by name, with sync status: `completeThrough` is the last day Google marked complete, `lastSyncedAt` is when data was last stored, and `state` and `message` explain any problem. `sync` is null for a property that is not monitored.',
    pages: true,
    example: { query: { limit: 25 } },
    async handle({ person, services }, { query }) {
      const part = services.cursors.open({ list: 'properties', userId: person.id, query, position: z.string() })
      const [properties, statuses] = await Promise.all([services.sites.list(person.id), services.sync.statuses(person.id)])
      const statusOf = new Map(statuses.map((status) => [status.property, status]))
      const rows = properties
        .map(({ name, kind, monitored, paused }): ApiProperty => ({
          name,
          kind,
          monitored,
          paused,
          sync: statusOf.get(name) ?? null,
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return partOf(
        rows,
        part,
        ({ name }) => name,
        ({ name }, after) => name > after,
      )
    },
  }),
})
