import { z } from 'zod'
import { type Alert, otherFindings } from '../../../contract/alerts/alerts.ts'
import { type ApiAlert, apiAlertEndpoints as endpoints } from '../../../contract/api-v1/alerts.ts'
import { withoutMarkup } from '../../../core/alerting/copy.ts'
import { propertyNamed } from '../requested-property.ts'
import { type ApiServices, change, operation, operationsOf } from '../operation.ts'

type Shown = Pick<Alert, 'id' | 'description' | 'findings'> & { why?: string | undefined }
type ForApi<A extends Shown> = Omit<A, 'findings'> & Pick<ApiAlert, 'findings' | 'url'>

function forApi<A extends Shown>(services: ApiServices, { findings, ...alert }: A): ForApi<A> {
  const others = otherFindings({ id: alert.id, findings })
  return {
    ...alert,
    ...(others.length > 0 && { findings: others }),
    description: withoutMarkup(alert.description),
    ...(alert.why !== undefined && { why: withoutMarkup(alert.why) }),
    url: `${services.baseUrl()}/alerts/${alert.id}`,
  }
}

/** An alert's position in the list. */
const place = z.object({ openedAt: z.iso.datetime(), severity: z.string(), entityKind: z.string(), id: z.string() })
const placeOf = ({ timestamp, severity, entity, id }: ApiAlert): z.infer<typeof place> => ({
  openedAt: timestamp,
  severity,
  entityKind: entity.kind,
  id,
})

export const alertOperations = operationsOf('Alerts', {
  listAlerts: operation(endpoints.listAlerts, {
    summary: 'List alerts',
    description:
      'Alerts for one property or all of them, newest first. `state=open` excludes recovered alerts. `from` and `to` select alerts opened between those days (UTC), inclusive; `from` also includes alerts that are still open. `target` is the property.',
    pages: true,
    example: { query: { state: 'open', limit: 20 } },
    async handle(context, { query }) {
      const { person, services } = context
      const { property: name, limit: _limit, cursor: _cursor, ...filter } = query
      const propertyId = name === undefined ? null : (await propertyNamed(context, name)).id
      const { limit, after, next } = services.cursors.open({ list: 'alerts', userId: person.id, query, position: place })
      const start = after === null ? {} : { after: { ...after, openedAt: new Date(after.openedAt) } }
      const found = await services.alerts.list(person.id, { ...filter, ...start, propertyId, limit: limit + 1, offset: 0 })
      const data = found.slice(0, limit).map((alert) => forApi(services, alert))
      const last = data.at(-1)
      return { data, next: found.length > limit && last ? next(placeOf(last)) : null }
    },
  }),
  getAlert: operation(endpoints.getAlert, {
    summary: 'Get an alert',
    description:
      'One alert in full: daily values, why the metric changed (`why` as text, `breakdown` as parts that add up to the change, or `rateBreakdown` for CTR and position), what else happened around that time (`coincidences`), expected values for unusual changes, top contributors, the timeline and the notifications sent.',
    example: { params: { id: '42' } },
    handle: async ({ person, services }, { params }) => forApi(services, await services.alerts.report(person.id, params.id)),
  }),
  acknowledgeAlert: change(endpoints.acknowledgeAlert, {
    summary: 'Acknowledge an alert',
    description: 'Marks an alert as being handled. Recovered alerts don’t change, and acknowledging twice has no effect.',
    example: { params: { id: '42' } },
    handle: async ({ person, services }, { params }, trx) => forApi(services, await services.alerts.acknowledge(person.id, params.id, trx)),
  }),
  snoozeAlert: change(endpoints.snoozeAlert, {
    summary: 'Snooze an alert',
    description: 'Mutes an alert until a time within the next 366 days. It fires again then, unless it has recovered.',
    example: { params: { id: '42' }, body: { until: '2027-01-04T08:00:00Z' } },
    handle: async ({ person, services }, { params, body }, trx) =>
      forApi(services, await services.alerts.snooze(person.id, params.id, new Date(body.until), trx)),
  }),
  unsnoozeAlert: change(endpoints.unsnoozeAlert, {
    summary: 'End an alert’s snooze',
    description: 'A snoozed alert fires again immediately. Other alerts don’t change.',
    example: { params: { id: '42' } },
    handle: async ({ person, services }, { params }, trx) => forApi(services, await services.alerts.unsnooze(person.id, params.id, trx)),
  }),
  rateAlert: change(endpoints.rateAlert, {
    summary: 'Rate an alert',
    description:
      '`useful`: the change was real. `noise`: it was not. You can change a rating at any time; null removes it. Ratings apply to the whole alert: rating one of its findings rates and returns the alert.',
    example: { params: { id: '42' }, body: { verdict: 'useful' } },
    handle: async ({ person, services }, { params, body }, trx) =>
      forApi(services, await services.alerts.rate({ userId: person.id, id: Number(params.id) }, body.verdict, 'api', trx)),
  }),
})
