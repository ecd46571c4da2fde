import { changeText } from '../../../core/alerting/words.ts'
import type { Message, NewsItem } from '../message.ts'
import { alertsLink, reportLink } from '../outbound/links.ts'
import { counted, cut, isolated, propertyName, visible } from '../outbound/names.ts'
import { togetherOf } from '../outbound/together.ts'
import { plainSigns, segmentsOf } from './segments.ts'

const mostSegments = 2
const mostProperty = 40
/** How long names may be, tried from the left. */
const nameLengths = [60, 40, 25]

type About = { property: string; item: NewsItem }
/** `prefix`: of which property, where there are several. */
type Told = { item: NewsItem; prefix: string }

/** One short text: the critical alerts that opened or woke, and a link. Null where there is nothing critical to tell. */
export function smsText(message: Message, baseUrl: string): string | null {
  if (message.kind === 'test') return 'Ranklark: this is a test message. Critical alerts will be sent to this number.'
  const told = criticalOf(message)
  const [first] = told
  if (first === undefined) return null
  const properties = new Set(told.map(({ property }) => property))
  const isOne = properties.size === 1
  const where = isOne ? shortProperty(first.property) : counted(properties.size, 'property', 'properties')
  const counts = `${told.length === 1 ? 'critical alert' : counted(told.length, 'critical alert')} on ${where}`
  const lead = `Ranklark: ${togetherIn(message, told) ?? counts}: `
  const named = told.map(({ property, item }) => ({ item, prefix: isOne ? '' : `${shortProperty(property)}: ` }))
  // Several properties have no report in common.
  return fitted(lead, named, isOne ? reportLink(baseUrl, first.item.alertId) : alertsLink(baseUrl))
}

function criticalOf(message: Exclude<Message, { kind: 'test' }>): About[] {
  return message.properties.flatMap(({ name, items }) =>
    items.filter(({ severity, event }) => severity === 'critical' && event !== 'recovered').map((item) => ({ property: name, item })),
  )
}

/** What befell several properties at once, of what is told here. */
function togetherIn(message: Exclude<Message, { kind: 'test' }>, told: readonly About[]): string | null {
  const properties = message.properties.map(({ name }) => ({
    name,
    items: told.flatMap(({ property, item }) => (property === name ? [item] : [])),
  }))
  return togetherOf({ properties, monitored: message.kind === 'alerts' ? message.monitored : message.properties.length })
}

/** As much as goes into one part, else into two: fewer alerts told in words before shorter names, the link always whole. */
function fitted(lead: string, told: readonly Told[], link: string): string {
  for (const limit of [1, mostSegments]) {
    for (const length of nameLengths) {
      for (let count = Math.min(told.length, 3); count > 0; count -= 1) {
        const text = plainSigns(`${lead}${detailsOf(told, count, length)} `) + link
        if (segmentsOf(text) <= limit) return text
      }
    }
  }
  const shortest = `${lead.slice(0, lead.indexOf(' on '))}: ${link}`
  return segmentsOf(shortest) <= mostSegments ? shortest : link
}

function detailsOf(told: readonly Told[], count: number, nameLength: number): string {
  const named = told.slice(0, count).map(({ item, prefix }) => {
    const change = item.change === null ? '' : ` (${changeText(item.type, item.change)})`
    return `${prefix}${shortTitle(item, nameLength)}${change}`
  })
  return `${named.join('; ')}${told.length > count ? ` and ${told.length - count} more` : ''}`
}

/** The title with its name short; without the host for a page, which is the property's. */
function shortTitle({ title, entity }: NewsItem, nameLength: number): string {
  const at = entity.kind === 'page' || entity.kind === 'query' ? title.lastIndexOf(entity.name) : -1
  if (at < 0) return isolated(unlinked(cut(visible(title), 2 * nameLength)))
  const name = entity.kind === 'page' ? entity.name.replace(/^https?:\/\/[^/]+(?=\/)/i, '') : entity.name
  return isolated(unlinked(visible(title.slice(0, at) + cut(visible(name), nameLength) + title.slice(at + entity.name.length))))
}

const shortProperty = (property: string): string =>
  unlinked(
    cut(
      propertyName(property)
        .replace(/^https?:\/\//i, '')
        .replace(/\/$/, ''),
      mostProperty,
    ),
  )

/**
 * Phones make links of what looks like one, and anybody can search for an address to have it appear among the queries:
 * a blank before the dot leaves the report's link as the only one.
 */
const unlinked = (text: string): string =>
  text.replaceAll(/\b(?:[a-z][a-z0-9+.-]{0,40}:\/\/|mailto:|tel:|www\.)/gi, '').replaceAll(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, ' .')
