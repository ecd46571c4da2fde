import { z } from 'zod'
import { type ApiAlert, apiAlertEndpoints as endpoints } from '../../../contract/api-v1/alerts.ts'
import { withoutMarkup } from '../../../core/alerting/words.ts'
import { Refusal } from '../../common/errors.ts'
import { propertyNamed } from '../asked-property.ts'
import { type ApiServices, change, type Operation, operation } from '../operation.ts'

type Shown = { id: string; description: string; why?: string | undefined }
const told = <Alert extends Shown>(services: ApiServices, alert: Alert): Alert & { url: string } => ({
  ...alert,
  description: withoutMarkup(alert.description),
  ...(alert.why !== undefined && { why: withoutMarkup(alert.why) }),
  url: `${services.baseUrl()}/alerts/${alert.id}`,
})

/** Where an alert stands in the list. */
const place = z.object({ openedAt: z.iso.datetime(), severity: z.string(), entityKind: z.string(), id: z.string() })
const placeOf = ({ timestamp, severity, entity, id }: ApiAlert): z.infer<typeof place> => ({
  openedAt: timestamp,
  severity,
  entityKind: entity.kind,
  id,
})

export const alertOperations: readonly Operation[] = [
  operation({
    id: 'listAlerts',
    endpoint: endpoints.listAlerts,
    summary: 'List alerts',
    description:
      'Alerts of one property or of all, the latest first. `state=open` leaves out those that have recovered; with `from` and `to` those opened on these days (UTC), and with `from` also those that still last. `target` is the property.',
    tag: 'Alerts',
    pages: true,
    example: { query: { state: 'open', limit: 20 } },
    async handle(context, { query }) {
      const { person, services } = context
      const { property: name, limit: _limit, cursor: _cursor, ...filter } = query
      const propertyId = name === undefined ? null : (await propertyNamed(context, name)).id
      const { limit, after, next } = services.cursors.open({ list: 'alerts', userId: person.id, query, position: place })
      const start = after === null ? {} : { after: { ...after, openedAt: new Date(after.openedAt) } }
      const found = await services.alerts.list(person.id, { ...filter, ...start, propertyId, limit: limit + 1, offset: 0 })
      const data = found.slice(0, limit).map((alert) => told(services, alert))
      const last = data.at(-1)
      return { data, next: found.length > limit && last ? next(placeOf(last)) : null }
    },
  }),
  operation({
    id: 'getAlert',
    endpoint: endpoints.getAlert,
    summary: 'Get an alert',
    description:
      'One alert in full: its daily figures, why it changed (`why` in words, `breakdown` in parts that add up), what else happened on those days (`coincidences`), for unusual changes what was expected of each day, what contributed most, what became of it, and who was told.',
    tag: 'Alerts',
    example: { params: { id: '42' } },
    handle: async ({ person, services }, { params }) => told(services, await services.alerts.report(person.id, params.id)),
  }),
  change({
    id: 'acknowledgeAlert',
    endpoint: endpoints.acknowledgeAlert,
    summary: 'Acknowledge an alert',
    description: 'Somebody takes care of it. An alert that has recovered stays so; acknowledging twice changes nothing.',
    tag: 'Alerts',
    example: { params: { id: '42' } },
    handle:
      ({ person, services }, { params }) =>
      async (trx) => {
        const [alert] = await services.alerts.acknowledge(person.id, [params.id], trx)
        if (!alert) throw new Refusal(404, "This alert doesn't exist or isn't yours.")
        return told(services, alert)
      },
  }),
  change({
    id: 'snoozeAlert',
    endpoint: endpoints.snoozeAlert,
    summary: 'Snooze an alert',
    description: 'Sets an alert aside until a moment in the next 366 days; it fires again then, unless it has recovered.',
    tag: 'Alerts',
    example: { params: { id: '42' }, body: { until: '2027-01-04T08:00:00Z' } },
    handle:
      ({ person, services }, { params, body }) =>
      async (trx) =>
        told(services, await services.alerts.snooze(person.id, params.id, new Date(body.until), trx)),
  }),
  change({
    id: 'unsnoozeAlert',
    endpoint: endpoints.unsnoozeAlert,
    summary: 'End the snooze of an alert',
    description: 'A snoozed alert fires again at once; any other stays as it is.',
    tag: 'Alerts',
    example: { params: { id: '42' } },
    handle:
      ({ person, services }, { params }) =>
      async (trx) =>
        told(services, await services.alerts.unsnooze(person.id, params.id, trx)),
  }),
  change({
    id: 'rateAlert',
    endpoint: endpoints.rateAlert,
    summary: 'Say whether an alert was useful',
    description:
      '`useful`: the figures really changed. `noise`: they did not. It can be changed at any time; null takes it back. An alert is rated as a whole: rating one of its findings rates and returns the alert.',
    tag: 'Alerts',
    example: { params: { id: '42' }, body: { verdict: 'useful' } },
    handle:
      ({ person, services }, { params, body }) =>
      async (trx) =>
        told(services, await services.alerts.judge({ userId: person.id, id: Number(params.id) }, body.verdict, 'api', trx)),
  }),
]
