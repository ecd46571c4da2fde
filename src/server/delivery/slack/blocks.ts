import type { Envelope } from '../channels/channel.ts'
import { itemsIn, type MessageOf, type MessageItem } from '../message.ts'
import { alertsLink } from '../outbound/links.ts'
import { counted } from '../../../core/words.ts'
import { propertyName } from '../outbound/names.ts'
import {
  countsOf,
  incomparableNote,
  isBad,
  isGood,
  nothingHappened,
  otherFigures,
  standingSentence,
  stillOpen,
  weeksOf,
} from '../outbound/copy.ts'
import { shareOf, togetherOf } from '../outbound/together.ts'
import { fitting, type Unit } from './fitting.ts'
import { itemContext, itemLine, itemLines, itemText, signsOf } from './item-lines.ts'
import { escaped, link, unstyled } from './mrkdwn.ts'

type PlainText = { type: 'plain_text'; text: string; emoji: false }
/** `verbatim`: Slack doesn't turn what looks like a URL into a link. */
type Mrkdwn = { type: 'mrkdwn'; text: string; verbatim: true }
export type Block = { type: 'header'; text: PlainText } | { type: 'section'; text: Mrkdwn } | { type: 'context'; elements: [Mrkdwn] }

/** Without blocks, `text` is everything; with them, it is the notification's text. */
export type SlackMessage = { text: string; blocks?: Block[] }

type Section = MessageOf<'digest'>['properties'][number]
type About = Pick<Envelope, 'message' | 'baseUrl'>

const mostHeader = 150
const mostName = 100
/** Slack accepts 3,000 characters per section. */
const mostSection = 2900
const mostPlain = 3500
const mostLines = 5
/** Properties in one section, and properties with all their figures. */
const mostSummaries = 8
const mostWithFigures = 3

/** A message as Slack blocks, within Slack's limits; counts what doesn't fit and links to all of it. */
export function slackMessage({ message, baseUrl }: About): SlackMessage {
  const text = summaryOf({ message, baseUrl })
  switch (message.kind) {
    case 'alerts':
      return { text, blocks: fitting(header(titleOf(message)), alertUnits(message, baseUrl), more(message, baseUrl)) }
    case 'digest':
      return { text, blocks: fitting(header(titleOf(message)), digestUnits(message, baseUrl), more(message, baseUrl)) }
    case 'test':
      return { text, blocks: [section(testText(message, baseUrl))] }
  }
}

/** Same without blocks, for when Slack refuses them. */
export function slackText({ message, baseUrl }: About): SlackMessage {
  if (message.kind === 'test') return { text: testText(message, baseUrl) }
  const items = worstFirst(itemsIn(message))
  const head = [
    `*${unstyled(titleOf(message), mostHeader)}*`,
    ...(message.kind === 'digest' ? [...aboutAll(message), ...summaries(message).slice(0, mostSummaries)] : []),
  ]
  const lines = lineUp(
    items.map((item) => itemLine(item, { baseUrl })),
    items.length + (message.more ?? 0),
    mostPlain - head.join('\n').length,
  )
  return { text: [...head, ...lines, link(alertsLink(baseUrl), 'See all alerts')].join('\n') }
}

/** Bad news before good news, over all properties, then what is over otherwise. */
const worstFirst = (items: readonly MessageItem[]): MessageItem[] => items.toSorted((a, b) => placeOf(a) - placeOf(b))
const placeOf = (item: MessageItem): number => (isBad(item) ? 0 : isGood(item) ? 1 : 2)

function titleOf(message: MessageOf<'alerts'> | MessageOf<'digest'>): string {
  const { properties } = message
  const monitored = message.kind === 'alerts' ? message.monitored : properties.length
  const together = togetherOf({ properties, monitored })
  const [only, ...others] = properties
  const name = only !== undefined && others.length === 0 ? propertyName(only.name) : null
  if (message.kind === 'alerts') {
    const alerts = countsOf(itemsIn(message), message.more)
    return name === null ? (together ?? `${alerts} on ${shareOf(properties.length, monitored)}`) : `${name}: ${alerts}`
  }
  const digest = message.frequency === 'daily' ? 'Daily digest' : 'Weekly digest'
  return `${digest}: ${name ?? together ?? counted(properties.length, 'property', 'properties')}`
}

function summaryOf({ message }: About): string {
  if (message.kind === 'test') return 'Test message from Ranklark'
  const items = worstFirst(itemsIn(message))
  const [first] = items
  const open = message.kind === 'digest' ? stillOpen(message.properties) : null
  const none = open === null ? 'no alerts' : `no new alerts, ${open}`
  const counts = items.length === 0 ? none : signsOf(items, message.more)
  return `${unstyled(titleOf(message), mostHeader)} (${counts})${first === undefined ? '' : `: ${unstyled(first.title, mostHeader)}`}`
}

const testText = ({ property }: MessageOf<'test'>, baseUrl: string): string =>
  [
    '*This is a test message from Ranklark.*',
    `Alerts${property === null ? '' : ` for ${unstyled(propertyName(property), mostName)}`} will arrive here.`,
    link(alertsLink(baseUrl), 'See all alerts'),
  ].join('\n')

/** Above good news, and above what is over otherwise, if anything comes before it. */
const titles = ['', 'Good news', 'No longer open']

function* alertUnits({ properties }: MessageOf<'alerts'>, baseUrl: string): Generator<Unit<Block>> {
  const listed = properties.flatMap(({ name, items }) => items.map((item) => ({ property: name, item })))
  const groups = [0, 1, 2].map((place) => listed.filter(({ item }) => placeOf(item) === place))
  const starts = groups.map((_, place) => groups.slice(0, place).reduce((sum, group) => sum + group.length, 0))
  for (const [at, { property, item }] of groups.flat().entries()) {
    const place = placeOf(item)
    const title = at > 0 && at === starts[place] ? [section(`*${titles[place]}*`)] : []
    const name = properties.length > 1 ? `*${unstyled(propertyName(property), mostName)}*\n` : ''
    yield {
      blocks: [...title, section(name + itemText(item, { baseUrl, property })), context(itemContext(item))],
      alerts: 1,
      properties: 0,
    }
  }
}

/** How every property did, then what happened on each, then good news. */
function* digestUnits(message: MessageOf<'digest'>, baseUrl: string): Generator<Unit<Block>> {
  const { properties } = message
  const summarized = summaries(message)
  for (let at = 0; at < summarized.length; at += mostSummaries) {
    const some = summarized.slice(at, at + mostSummaries)
    const isFirst = at === 0
    const text = [...(isFirst ? aboutAll(message) : []), ...some]
    yield { blocks: [section(text.join('\n'))], alerts: 0, properties: some.length }
  }
  const about = (happened: Section['items'], name: string | null) => {
    const head = name === null ? [] : [`*${name}*`]
    const room = mostSection - head.join('\n').length
    const lines = happened.slice(0, mostLines).map((item) => itemLines(item, { baseUrl }))
    return section([...head, ...lineUp(lines, happened.length, room)].join('\n'))
  }
  for (const { name, items } of properties) {
    const bad = items.filter(isBad)
    const title = properties.length > 1 ? unstyled(propertyName(name), mostName) : null
    if (bad.length > 0) yield { blocks: [about(bad, title)], alerts: bad.length, properties: 0 }
  }
  for (const place of [1, 2]) {
    const others = itemsIn(message).filter((item) => placeOf(item) === place)
    if (others.length > 0) yield { blocks: [about(others, titles[place] ?? null)], alerts: others.length, properties: 0 }
  }
  if (stillOpen(properties) !== null) yield { blocks: [section(link(alertsLink(baseUrl), 'See all alerts'))], alerts: 0, properties: 0 }
}

/** Says so if nothing happened, and names the compared weeks and what can't be compared. */
function aboutAll(message: MessageOf<'digest'>): string[] {
  const isQuiet = itemsIn(message).length === 0
  const note = incomparableNote(message.properties, message.properties.length <= mostWithFigures)
  return [isQuiet ? `${nothingHappened(message.properties)}.` : '', weeksOf(message.properties), note ?? ''].filter((line) => line !== '')
}

/** A sentence about each property, worst first; with few properties, followed by their other figures. */
const summaries = ({ properties }: MessageOf<'digest'>): string[] =>
  properties.map((each) => {
    const hasFigures = properties.length <= mostWithFigures
    const figures = hasFigures && each.standing !== null ? `\n${otherFigures(each.standing).join(' · ')}` : ''
    return `*${unstyled(propertyName(each.name), mostName)}*: ${standingSentence(each)}${figures}`
  })

/** As many lines as fit, plus the number of those left out. */
function lineUp(lines: readonly string[], all: number, room: number): string[] {
  const reserve = 60
  const taken: string[] = []
  let length = reserve
  for (const line of lines) {
    length += line.length + 1
    if (length > room) break
    taken.push(line)
  }
  return all > taken.length ? [...taken, `and ${all - taken.length} more`] : taken
}

/** What didn't fit, and what the message only counts. */
const more =
  ({ more: notHeld = 0 }: { more?: number | undefined }, baseUrl: string) =>
  ({ alerts, properties }: { alerts: number; properties: number }): Block | null => {
    const left = alerts + notHeld
    if (left + properties === 0) return null
    const parts = [
      ...(properties > 0 ? [counted(properties, 'more property', 'more properties')] : []),
      ...(left > 0 ? [counted(left, 'more alert')] : []),
    ]
    return section(`and ${parts.join(' and ')} · ${link(alertsLink(baseUrl), 'See all alerts')}`)
  }

const header = (text: string): Block => ({ type: 'header', text: { type: 'plain_text', text: escaped(text, mostHeader), emoji: false } })
const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })
const context = (text: string): Block => ({ type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] })
