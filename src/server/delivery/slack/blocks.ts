import { changeText, daysOf } from '../../../core/alerting/words.ts'
import type { Envelope } from '../channel.ts'
import type { MessageOf, Standing } from '../message.ts'
import { alertsLink } from '../outbound/links.ts'
import { counted, propertyName } from '../outbound/names.ts'
import { standingFigure } from '../outbound/standing-figure.ts'
import { fitting, type Unit } from './fitting.ts'
import { countsOf, itemContext, itemLine, itemText } from './item-lines.ts'
import { escaped, link, plain } from './mrkdwn.ts'

type PlainText = { type: 'plain_text'; text: string; emoji: false }
/** `verbatim`: Slack makes no links of its own of what looks like an address. */
type Mrkdwn = { type: 'mrkdwn'; text: string; verbatim: true }
export type Block = { type: 'header'; text: PlainText } | { type: 'section'; text: Mrkdwn } | { type: 'context'; elements: [Mrkdwn] }

/** Without blocks the text is all of it; with them it is what a notification shows. */
export type SlackMessage = { text: string; blocks?: Block[] }

type About = Pick<Envelope, 'message' | 'baseUrl'>

const mostHeader = 150
const mostName = 100
/** Of a section Slack takes 3,000 characters. */
const mostSection = 2900
const mostPlain = 3500
const mostLines = 5

/** A message in Slack's blocks, within its limits; what does not fit is counted, with a link to all of it. */
export function slackMessage({ message, baseUrl }: About): SlackMessage {
  const text = summaryOf({ message, baseUrl })
  switch (message.kind) {
    case 'alerts':
      return { text, blocks: fitting(header(titleOf(message)), alertUnits(message, baseUrl), (left) => more(left, baseUrl)) }
    case 'digest':
      return { text, blocks: fitting(header(titleOf(message)), digestUnits(message, baseUrl), (left) => more(left, baseUrl)) }
    case 'test':
      return { text, blocks: [section(testText(message, baseUrl))] }
  }
}

/** The same without blocks, for when Slack does not take them. */
export function slackText({ message, baseUrl }: About): SlackMessage {
  if (message.kind === 'test') return { text: testText(message, baseUrl) }
  const items = message.kind === 'alerts' ? message.items : message.properties.flatMap((property) => property.items)
  const lines = lineUp(
    items.map((item) => itemLine(item, { baseUrl })),
    items.length,
    mostPlain,
  )
  return { text: [`*${plain(titleOf(message), mostHeader)}*`, ...lines, link(alertsLink(baseUrl), 'See all alerts')].join('\n') }
}

function titleOf(message: MessageOf<'alerts'> | MessageOf<'digest'>): string {
  if (message.kind === 'alerts') return `${propertyName(message.property)}: ${counted(message.items.length, 'alert')}`
  const [only, ...others] = message.properties
  const about =
    only !== undefined && others.length === 0 ? propertyName(only.name) : counted(message.properties.length, 'property', 'properties')
  return `${message.frequency === 'daily' ? 'Daily' : 'Weekly'} digest: ${about}`
}

function summaryOf({ message }: About): string {
  if (message.kind === 'test') return 'Test message from Ranklark'
  const items = message.kind === 'alerts' ? message.items : message.properties.flatMap((property) => property.items)
  const [first] = items
  const counts = items.length === 0 ? 'no alerts' : countsOf(items)
  return `${plain(titleOf(message), mostHeader)} (${counts})${first === undefined ? '' : `: ${plain(first.title, mostHeader)}`}`
}

const testText = ({ property }: MessageOf<'test'>, baseUrl: string): string =>
  [
    '*This is a test message from Ranklark.*',
    `Alerts${property === null ? '' : ` for ${plain(propertyName(property), mostName)}`} will arrive here.`,
    link(alertsLink(baseUrl), 'See all alerts'),
  ].join('\n')

function* alertUnits({ property, items }: MessageOf<'alerts'>, baseUrl: string): Generator<Unit<Block>> {
  for (const item of items)
    yield { blocks: [section(itemText(item, { baseUrl, property })), context(itemContext(item))], alerts: 1, properties: 0 }
}

function* digestUnits({ properties }: MessageOf<'digest'>, baseUrl: string): Generator<Unit<Block>> {
  for (const { name, standing, items, open } of properties) {
    const head = [`*${plain(propertyName(name), mostName)}*`, standing === null ? 'No complete days yet.' : standingLine(standing)]
    const foot = open === 0 ? 'No open alerts' : `${counted(open, 'open alert')} · ${link(alertsLink(baseUrl), 'View them')}`
    const room = mostSection - head.join('\n').length - foot.length
    const lines = lineUp(
      items.slice(0, mostLines).map((item) => itemLine(item, { baseUrl })),
      items.length,
      room,
    )
    yield { blocks: [section([...head, ...lines, foot].join('\n'))], alerts: items.length, properties: 1 }
  }
}

/** As many lines as fit, and how many are left of all there are. */
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

function standingLine({ current, previous, ...figures }: Standing): string {
  const otherYear = previous.start.slice(0, 4) !== current.end.slice(0, 4)
  const line = (
    [
      ['Clicks', 'clicks'],
      ['Impressions', 'impressions'],
      ['CTR', 'ctr'],
      ['Position', 'position'],
    ] as const
  ).map(([label, metric]) => {
    const { value, change } = figures[metric]
    // In per cent for positions as well, as on the dashboard.
    return `${label} *${standingFigure(metric, value)}*${change === null ? '' : ` (${changeText('clicks', change)})`}`
  })
  const isCompared = Object.values(figures).some((each) => each.previous !== null)
  return `${line.join(' · ')}\n${isCompared ? `${daysOf(current, otherYear)} vs ${daysOf(previous, otherYear)}` : daysOf(current)}`
}

const more = ({ alerts, properties }: { alerts: number; properties: number }, baseUrl: string): Block =>
  section(
    `and ${[properties > 0 && counted(properties, 'more property', 'more properties'), alerts > 0 && `${counted(alerts, 'more alert')}`]
      .filter((text) => text !== false)
      .join(' with ')} · ${link(alertsLink(baseUrl), 'See all alerts')}`,
  )

const header = (text: string): Block => ({ type: 'header', text: { type: 'plain_text', text: escaped(text, mostHeader), emoji: false } })
const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })
const context = (text: string): Block => ({ type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] })
