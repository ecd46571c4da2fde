import type { Severity } from '../../../contract/alerts/alerts.ts'
import { coincidenceSentence } from '../../../core/alerting/coincidences.ts'
import { levelText } from '../../../core/alerting/ending.ts'
import { beginningText, changeText, figure, plainText, type Sentence, severityLabels } from '../../../core/alerting/copy.ts'
import { endingOf, handledWord, isGood, isOver, overWord, worseText } from '../outbound/copy.ts'
import type { MessageItem } from '../message.ts'
import { otherFindings, foundByRules } from '../outbound/other-findings.ts'
import { actionLink, alertConsoleLink, reportLink } from '../outbound/links.ts'
import { counted } from '../../../core/words.ts'
import { code, link, moment, unstyled } from './mrkdwn.ts'

/** Color is never the only sign: the word is next to it. */
const marks: Record<Severity, string> = { critical: '🔴', warning: '🟠', info: '🔵', positive: '🟢' }

/** Characters for each part of a section, so that all of it stays below Slack's 3,000. */
const most = { title: 300, sentence: 700, why: 450, name: 300, contributor: 120, link: 1000, address: 600, rules: 350 }
const mostContributors = 3

export type Where = { baseUrl: string; property: string }

/** `🔴 Critical`, `🔴 Critical, was −12.1%, now −98.0%`, `✅ Recovered`. */
export function signOf(item: MessageItem): string {
  const { event, severity } = item
  if (isOver(item)) return `${isGood(item) ? '✅' : '⚪'} ${overWord(item)}`
  const handled = handledWord(item)
  const worse = worseText(item)
  const snoozed = event === 'woken' ? ', snooze ended' : ''
  return `${marks[severity]} ${severityLabels[severity]}${handled ? `, ${handled}` : worse === null ? snoozed : `, ${worse}`}`
}

/** `2 critical, 1 warning, 1 recovered`. */
export function signsOf(items: readonly MessageItem[], more = 0): string {
  if (more > 0) return counted(items.length + more, 'alert')
  const groups = Map.groupBy(items, (item) => (isOver(item) ? overWord(item).toLowerCase() : (handledWord(item) ?? item.severity)))
  return [...groups].map(([name, group]) => `${group.length} ${name}`).join(', ')
}

/** One alert as a section's text. */
export function itemText(item: MessageItem, where: Where): string {
  return [
    `${signOf(item)} · *${unstyled(item.title, most.title)}*`,
    overLine(item),
    figuresLine(item),
    sentenceLine(item.sentence),
    whyLine(item.why),
    contributorsLine(item),
    findingsLine(item),
    rulesLine(item),
    whyLine(coincidenceSentence(item.coincidences ?? [])),
    linksLine(item, where),
  ]
    .filter((line) => line !== null)
    .join('\n')
}

/** Same in one line, for a digest or plain text. */
export function itemLine(item: MessageItem, { baseUrl }: Pick<Where, 'baseUrl'>): string {
  const { type, previousValue, worse } = item
  const size = worse?.now ?? item.change
  // What hours show is no change of these figures.
  const change =
    isOver(item) || worse?.soFar !== undefined || (size === null && previousValue !== 0)
      ? ''
      : ` (${size === null ? 'from 0' : changeText(type, size)})`
  const over = isOver(item) ? (overLine(item)?.replace(/^/, '. ').replace(/\.$/, '') ?? '') : ''
  return `• ${signOf(item)} · ${unstyled(item.title, most.title)}${change}${over} · ${link(reportLink(baseUrl, item.alertId), 'Report')}`
}

/** The same with its main cause, if it is known. */
export function itemLines(item: MessageItem, where: Pick<Where, 'baseUrl'>): string {
  const why = isOver(item) ? null : whyLine(item.why)
  return why === null ? itemLine(item, where) : `${itemLine(item, where)}\n${why}`
}

/** When it opened, and its state when this was written. */
export function itemContext({ openedAt, state, event }: MessageItem): string {
  const since = `Since ${moment(new Date(openedAt))}`
  const became = state === 'firing' || event === 'recovered' ? null : state === 'recovered' ? `now over` : state
  return became === null ? since : `${since} · ${became}`
}

/** How it ended, unless the word next to it says everything; if nobody was notified while it was open, also when. */
function overLine(item: MessageItem): string | null {
  if (!isOver(item)) return null
  const { type, event, ended } = item
  const how = {
    settled: ended?.level ? `Now ${levelText(type, ended.level)}.` : null,
    revised: 'Google revised the data, so this is no longer unusual.',
    withdrawn: null,
    recovered: null,
    ended: null,
  }[endingOf(item)]
  const since = event !== 'recovered' && ended ? `Ended ${moment(new Date(ended.at))}.` : null
  return how === null ? since : since === null ? how : `${how} ${since}`
}

function figuresLine(item: MessageItem): string | null {
  const { type, currentValue, previousValue, worse } = item
  if (currentValue === null && previousValue === null) return null
  const change = worse?.soFar === undefined ? item.change : null
  const beginning = isOver(item) ? null : beginningText(item)
  return `*${spanOf({ type, currentValue, previousValue, change })}*${beginning === null ? '' : ` ${beginning}`}`
}

type Figures = { type: MessageItem['type']; currentValue: number | null; previousValue: number | null; change: number | null }

/** `1,204 → 983 (−18.4%)`. */
function spanOf({ type, currentValue, previousValue, change }: Figures): string {
  const span = previousValue === null ? figure(type, currentValue) : `${figure(type, previousValue)} → ${figure(type, currentValue)}`
  return change === null ? span : `${span} (${changeText(type, change)})`
}

const whyLine = (sentence: Sentence | null | undefined): string | null => (sentence ? sentenceLine(sentence, most.why) : null)

function sentenceLine(sentence: Sentence, length = most.sentence): string {
  const line = sentence.map((part) => (typeof part === 'string' ? textPiece(part) : code(part.name, most.name))).join('')
  return line.length <= length ? line : unstyled(plainText(sentence), length)
}

/** Keeps leading and trailing spaces, which separate the pieces. */
function textPiece(text: string): string {
  const [before = '', after = ''] = [/^\s*/.exec(text)?.[0], /(?<!\s)\s*$/.exec(text)?.[0]]
  const said = unstyled(text, most.sentence)
  return said === '' ? before && ' ' : `${before && ' '}${said}${after && ' '}`
}

function contributorsLine({ type, contributors }: MessageItem): string | null {
  if (contributors.length === 0) return null
  const named = contributors.slice(0, mostContributors).map((each) => `${code(each.name, most.contributor)} ${spanOf({ type, ...each })}`)
  const left = contributors.length - named.length
  return `Top contributors: ${named.join(', ')}${left > 0 ? ` and ${counted(left, 'other')}` : ''}`
}

function findingsLine(item: MessageItem): string | null {
  const also = otherFindings(item)
  return also && unstyled(also, most.title)
}

function rulesLine(item: MessageItem): string | null {
  const rules = foundByRules(item)
  return rules && unstyled(rules, most.rules)
}

// Links rather than buttons: Slack expects an app to answer button clicks, and shows a warning without one.
function linksLine(item: MessageItem, { baseUrl, property }: Where): string {
  const { alertId, action, entity, current, searchType } = item
  const mend = actionLink(baseUrl, action)
  const console = alertConsoleLink(property, { entity, current, searchType }, most.address)
  const links = [
    mend && link(mend.url, mend.label),
    link(reportLink(baseUrl, alertId), 'View full report'),
    console && link(console, 'View in GSC'),
  ]
  return links.filter((text) => text !== null && text.length <= most.link).join(' · ')
}
