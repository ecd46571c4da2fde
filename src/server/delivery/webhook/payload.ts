import { plainText } from '../../../core/alerting/copy.ts'
import type { Envelope } from '../channels/channel.ts'
import { itemsIn, type MessageItem } from '../message.ts'
import { actionLink, alertsLink, reportLink, searchConsoleLink } from '../outbound/links.ts'

/** A webhook's payload as promised in docs/webhooks.md: fields may be added, but none disappears or changes its meaning. */
export function payloadOf({ message, baseUrl, writtenAt }: Pick<Envelope, 'message' | 'baseUrl' | 'writtenAt'>): object {
  const about = { type: message.kind, timestamp: writtenAt.toISOString() }
  switch (message.kind) {
    case 'alerts':
      return {
        ...about,
        // Webhooks get each property separately (plan-alerts.ts).
        ...propertyOf(message.properties[0]?.name ?? ''),
        alerts: itemsIn(message).map((item) => alertOf(item, baseUrl)),
        url: alertsLink(baseUrl),
      }
    case 'digest':
      return {
        ...about,
        frequency: message.frequency,
        properties: message.properties.map(({ name, standing, items, open }) => ({
          ...propertyOf(name),
          standing,
          openAlerts: open,
          alerts: items.map((item) => alertOf(item, baseUrl)),
        })),
        url: alertsLink(baseUrl),
      }
    case 'test':
      return { ...about, property: message.property, text: 'This is a test message from Ranklark.', url: alertsLink(baseUrl) }
  }
}

const propertyOf = (name: string) => ({ property: name, searchConsoleUrl: searchConsoleLink(name) })

function alertOf(item: MessageItem, baseUrl: string): object {
  const { alertId, event, worse, severity, state, type, searchType, title, sentence, entity, openedAt, contributors, series } = item
  const {
    currentValue,
    previousValue,
    change,
    current,
    previous,
    hours,
    ended,
    unusual,
    expected,
    firstDay,
    findings,
    moreFindings,
    why,
    coincidences,
  } = item
  return {
    id: alertId,
    event,
    severity,
    state,
    metric: type,
    title,
    description: plainText(sentence),
    entity,
    ...(searchType && { searchType }),
    currentValue,
    previousValue,
    change,
    ...(worse && { worse }),
    changeUnit: type === 'position' ? 'positions' : 'percent',
    current,
    previous,
    ...(hours && { hours }),
    ...(ended && { ended }),
    ...(unusual && { unusual }),
    ...(expected && { expected }),
    ...(firstDay !== undefined && { firstDay }),
    ...(findings && { findings }),
    ...(moreFindings && { moreFindings }),
    ...(why && { why: plainText(why) }),
    ...(coincidences && { coincidences }),
    openedAt,
    contributors,
    series,
    action: actionLink(baseUrl, item.action),
    url: reportLink(baseUrl, alertId),
  }
}
