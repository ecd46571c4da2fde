import type { Metrics } from '../../contract/metrics.ts'
import { entityKind, severity as severities } from '../../contract/alerts/alerts.ts'
import type { AlertTold, ExplanationTold } from '../alerts/service.ts'
import type { NewsEvent } from '../database/delivery-tables.ts'
import type { MessageOf, NewsItem, Standing } from './message.ts'

/** Something to be told of an alert, as it stands now. */
export type Heard = { event: NewsEvent; alert: AlertTold }

const rank = ({ severity, event }: NewsItem): number =>
  severities.options.indexOf(severity) + (event === 'recovered' ? severities.options.length : 0)

const extent = ({ entity }: NewsItem): number => entityKind.options.indexOf(entity.kind)

/** Most severe first, of the same severity what concerns more; what has recovered last. */
export const itemsOf = (heard: readonly Heard[]): NewsItem[] =>
  heard
    .map(itemOf)
    .toSorted(
      (a, b) => rank(a) - rank(b) || extent(a) - extent(b) || b.openedAt.localeCompare(a.openedAt) || Number(a.alertId) - Number(b.alertId),
    )

/** The properties with the most severe news first. @param monitored how many this person has */
export function alertsMessage(heard: readonly Heard[], monitored: number): MessageOf<'alerts'> {
  const properties = [...Map.groupBy(heard, ({ alert }) => alert.property)].map(([name, about]) => ({ name, items: itemsOf(about) }))
  return { kind: 'alerts', properties: properties.toSorted((a, b) => worst(a) - worst(b) || a.name.localeCompare(b.name)), monitored }
}

type Section = MessageOf<'digest'>['properties'][number]

/** The properties that did worst first: by what was found, then by how their clicks went. */
export function digestMessage(frequency: 'daily' | 'weekly', sections: readonly Section[]): MessageOf<'digest'> {
  const change = ({ standing }: Section) => standing?.clicks.change ?? Infinity
  const properties = sections.toSorted(
    (a, b) => worst(a) - worst(b) || (change(a) === change(b) ? a.name.localeCompare(b.name) : change(a) - change(b)),
  )
  return { kind: 'digest', frequency, properties }
}

/** The rank of the worst that happened; good news is none of it. */
function worst({ items: [first] }: { items: readonly NewsItem[] }): number {
  const good = severities.options.indexOf('positive')
  return first === undefined ? good : Math.min(good, rank(first))
}

function itemOf({ event, alert }: Heard): NewsItem {
  const { propertyId: _propertyId, property: _property, sentence, title, entity, contributors, findings, ...figures } = alert
  return {
    ...figures,
    event,
    title: plain(title),
    sentence: plainSentence(sentence),
    entity: { ...entity, name: plain(entity.name) },
    contributors: contributors.map(plainContributor),
    ...(findings && {
      findings: findings.map((each) => ({ ...each, title: plain(each.title), entity: { ...each.entity, name: plain(each.entity.name) } })),
    }),
  }
}

/** What is behind an alert, for a message. */
export const plainExplanation = ({
  why,
  coincidences,
  contributors,
}: ExplanationTold): Pick<NewsItem, 'why' | 'coincidences' | 'contributors'> => ({
  ...(why && { why: plainSentence(why) }),
  ...(coincidences.length > 0 && { coincidences: coincidences.map((each) => ({ ...each, title: plain(each.title) })) }),
  contributors: contributors.map(plainContributor),
})

const plainSentence = (sentence: AlertTold['sentence']): NewsItem['sentence'] =>
  sentence.map((part) => (typeof part === 'string' ? plain(part) : { name: plain(part.name) }))

const plainContributor = (each: NewsItem['contributors'][number]) => ({ ...each, name: plain(each.name) })

/** Without control characters: one line for every channel, and nothing that PostgreSQL's JSON cannot hold. */
const plain = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}+/gu, ' ')

export function standingOf(metrics: Metrics): Standing {
  const of = (name: 'clicks' | 'impressions' | 'ctr' | 'position') => {
    const [value, previous] = [metrics[name], metrics[`${name}Previous`]]
    // A position of 0 is one that is not known: nothing can be compared with it.
    const isKnown = previous !== null && (name !== 'position' || (value !== 0 && previous !== 0))
    return { value, previous, change: isKnown ? metrics[`${name}Change`] : null }
  }
  const { current, previous } = metrics
  return { current, previous, clicks: of('clicks'), impressions: of('impressions'), ctr: of('ctr'), position: of('position') }
}
