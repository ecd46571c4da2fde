import type { Metrics } from '../../contract/metrics.ts'
import { entityKind, severity as severities, severityRank } from '../../contract/alerts/alerts.ts'
import { whyIncomparable } from '../../core/analytics/anomalies.ts'
import type { MessageAlert, MessageExplanation } from '../alerts/service.ts'
import type { AnnouncementEvent } from '../database/delivery-tables.ts'
import type { MessageOf, MessageItem, Standing } from './message.ts'
import { isOver } from './outbound/copy.ts'

/** Maximum length of a title or a name in a sentence, and of a page's or query's name; imported files may contain longer ones. */
const most = { text: 500, entity: 2048 }

/** An announced alert, in its current state. */
export type DueAlert = { event: AnnouncementEvent; alert: MessageAlert; worse?: MessageItem['worse'] }

const rank = (item: MessageItem): number => severityRank(item.severity) + (isOver(item) ? severities.options.length : 0)

const extent = ({ entity }: MessageItem): number => entityKind.options.indexOf(entity.kind)

/** Most severe first, then by importance; what is over last. */
export const itemsOf = (dueAlerts: readonly DueAlert[]): MessageItem[] =>
  dueAlerts
    .map(itemOf)
    .toSorted(
      (a, b) => rank(a) - rank(b) || extent(a) - extent(b) || b.openedAt.localeCompare(a.openedAt) || Number(a.alertId) - Number(b.alertId),
    )

/** Puts the properties with the most severe alerts first. @param monitored how many this person has @param more further alerts */
export function alertsMessage(dueAlerts: readonly DueAlert[], monitored: number, more = 0): MessageOf<'alerts'> {
  const properties = [...Map.groupBy(dueAlerts, ({ alert }) => alert.property)].map(([name, about]) => ({ name, items: itemsOf(about) }))
  const sorted = properties.toSorted((a, b) => worst(a) - worst(b) || a.name.localeCompare(b.name))
  return { kind: 'alerts', properties: sorted, monitored, ...(more > 0 && { more }) }
}

type Section = MessageOf<'digest'>['properties'][number]

/** Puts the properties that did worst first: by their alerts, then by the change in clicks. */
export function digestMessage(frequency: 'daily' | 'weekly', sections: readonly Section[], more = 0): MessageOf<'digest'> {
  const change = ({ standing }: Section) => standing?.clicks.change ?? Infinity
  const properties = sections.toSorted(
    (a, b) => worst(a) - worst(b) || (change(a) === change(b) ? a.name.localeCompare(b.name) : change(a) - change(b)),
  )
  return { kind: 'digest', frequency, properties, ...(more > 0 && { more }) }
}

/** The rank of the worst alert; good news has none. */
function worst({ items: [first] }: { items: readonly MessageItem[] }): number {
  const good = severityRank('positive')
  return first === undefined ? good : Math.min(good, rank(first))
}

function itemOf({ event, alert, worse }: DueAlert): MessageItem {
  const { propertyId: _propertyId, property: _property, sentence, title, entity, contributors, findings, rules, ...figures } = alert
  return {
    ...figures,
    event,
    ...(worse && { worse }),
    title: storable(title),
    sentence: storableSentence(sentence),
    entity: { ...entity, name: storable(entity.name, most.entity) },
    contributors: storableContributors(contributors),
    ...(rules && { rules: rules.map((each) => storable(each)) }),
    ...(findings && {
      findings: findings.map((each) => ({
        ...each,
        title: storable(each.title),
        entity: { ...each.entity, name: storable(each.entity.name, most.entity) },
      })),
    }),
  }
}

/** An alert's explanation for a message. */
export const storableExplanation = ({
  why,
  coincidences,
  contributors,
}: MessageExplanation): Pick<MessageItem, 'why' | 'coincidences' | 'contributors'> => ({
  ...(why && { why: storableSentence(why) }),
  ...(coincidences.length > 0 && { coincidences: coincidences.map((each) => ({ ...each, title: storable(each.title) })) }),
  contributors: storableContributors(contributors),
})

const storableSentence = (sentence: MessageAlert['sentence']): MessageItem['sentence'] =>
  sentence.map((part) => (typeof part === 'string' ? storable(part) : { name: storable(part.name) }))

const storableContributors = (contributors: MessageItem['contributors']): MessageItem['contributors'] =>
  contributors.map((each) => ({ ...each, name: storable(each.name) }))

/** Cuts text and removes control characters: one line for every channel, and nothing that PostgreSQL's JSON can't store. */
const storable = (text: string, length = most.text): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed().replaceAll(/\p{Cc}+/gu, ' ')

export function standingOf(metrics: Metrics): Standing {
  const { current, previous: before } = metrics
  const of = (name: 'clicks' | 'impressions' | 'ctr' | 'position') => {
    const [value, previous] = [metrics[name], metrics[`${name}Previous`]]
    // A position of 0 is unknown: nothing can be compared with it.
    const isKnown = previous !== null && (name !== 'position' || (value !== 0 && previous !== 0))
    const incomparable = isKnown ? whyIncomparable(name, current, before) : null
    return {
      value,
      previous,
      // Without a base there is no change in percent, unless there was nothing both times.
      change: isKnown && incomparable === null && (previous !== 0 || value === 0) ? metrics[`${name}Change`] : null,
      ...(incomparable !== null && { incomparable }),
    }
  }
  return { current, previous: before, clicks: of('clicks'), impressions: of('impressions'), ctr: of('ctr'), position: of('position') }
}
