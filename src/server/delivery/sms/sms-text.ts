import { changeText } from '../../../core/alerting/copy.ts'
import type { Message, MessageItem } from '../message.ts'
import { alertsLink, reportLink } from '../outbound/links.ts'
import { counted } from '../../../core/words.ts'
import { foundByRules } from '../outbound/other-findings.ts'
import { handledWord, isOver, worseText } from '../outbound/copy.ts'
import { cut, isolated, propertyName, visible } from '../outbound/names.ts'
import { togetherOf } from '../outbound/together.ts'
import { mostInMessage } from '../pending.ts'
import { plainSigns, segmentsOf } from './segments.ts'

const mostSegments = 2
const mostProperty = 40
const mostRule = 30
/** Maximum name lengths, tried in order. */
const nameLengths = [60, 40, 25]

type About = { property: string; item: MessageItem }
/** `prefix`: the property's name, if there are several. */
type Listed = { item: MessageItem; prefix: string }

/** One short text: critical alerts that are open and not handled yet, and a link. Null without any. */
export function smsText(message: Message, baseUrl: string): string | null {
  if (message.kind === 'test') return 'Ranklark: this is a test message. Critical alerts will be sent to this number.'
  const alerts = criticalOf(message)
  const [first] = alerts
  if (first === undefined) return null
  const properties = new Set(alerts.map(({ property }) => property))
  const isOne = properties.size === 1
  const where = isOne ? shortProperty(first.property) : counted(properties.size, 'property', 'properties')
  const least = alerts.length === mostInMessage && message.more !== undefined ? 'at least ' : ''
  const counts = `${alerts.length === 1 ? 'critical alert' : `${least}${counted(alerts.length, 'critical alert')}`} on ${where}`
  const lead = `Ranklark: ${togetherIn(message, alerts) ?? counts}: `
  const named = alerts.map(({ property, item }) => ({ item, prefix: isOne ? '' : `${shortProperty(property)}: ` }))
  // Several properties have no common report.
  return fitted(lead, named, isOne ? reportLink(baseUrl, first.item.alertId) : alertsLink(baseUrl))
}

function criticalOf(message: Exclude<Message, { kind: 'test' }>): About[] {
  return message.properties.flatMap(({ name, items }) =>
    items
      .filter((item) => item.severity === 'critical' && !isOver(item) && handledWord(item) === null)
      .map((item) => ({ property: name, item })),
  )
}

/** What several of these properties have in common. */
function togetherIn(message: Exclude<Message, { kind: 'test' }>, alerts: readonly About[]): string | null {
  const properties = message.properties.map(({ name }) => ({
    name,
    items: alerts.flatMap(({ property, item }) => (property === name ? [item] : [])),
  }))
  return togetherOf({ properties, monitored: message.kind === 'alerts' ? message.monitored : message.properties.length })
}

/** Fits into one part if possible, else into two: mentions fewer alerts before shortening names, and always keeps the whole link. */
function fitted(lead: string, alerts: readonly Listed[], link: string): string {
  for (const limit of [1, mostSegments]) {
    for (const length of nameLengths) {
      for (let count = Math.min(alerts.length, 3); count > 0; count -= 1) {
        const text = plainSigns(`${lead}${detailsOf(alerts, count, length)} `) + link
        if (segmentsOf(text) <= limit) return withRules(text, alerts, link)
      }
    }
  }
  const shortest = `${lead.slice(0, lead.indexOf(' on '))}: ${link}`
  return segmentsOf(shortest) <= mostSegments ? shortest : link
}

/** Says which rules found the only alert, if that doesn't cost another part. */
function withRules(text: string, alerts: readonly Listed[], link: string): string {
  const rules = alerts.length === 1 && alerts[0] ? foundByRules(alerts[0].item, mostRule) : null
  if (rules === null) return text
  const longer = plainSigns(`${text.slice(0, -link.length).trimEnd()}. ${isolated(unlinked(rules))} `) + link
  return segmentsOf(longer) <= segmentsOf(text) ? longer : text
}

function detailsOf(alerts: readonly Listed[], count: number, nameLength: number): string {
  const named = alerts.slice(0, count).map(({ item, prefix }) => {
    const said = worseText({ ...item, worse: item.worse && { ...item.worse, soFar: undefined } })
    const change = item.change === null ? '' : ` (${said ?? changeText(item.type, item.change)})`
    return `${prefix}${shortTitle(item, nameLength)}${change}`
  })
  return `${named.join('; ')}${alerts.length > count ? ` and ${alerts.length - count} more` : ''}`
}

/** The title with a short name; pages without the host, which is the property's. */
function shortTitle({ title, entity }: MessageItem, nameLength: number): string {
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
 * Phones linkify what looks like a URL, and anybody can search for a URL to make it show up among the queries: a space before the dot
 * leaves the report's link as the only one.
 */
const unlinked = (text: string): string =>
  text.replaceAll(/\b(?:[a-z][a-z0-9+.-]{0,40}:\/\/|mailto:|tel:|www\.)/gi, '').replaceAll(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, ' .')
