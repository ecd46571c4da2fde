import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { Link } from '@react-email/link'
import type { AlertVerdict } from '../../../contract/alerts/alerts.ts'
import { levelText } from '../../../core/alerting/ending.ts'
import { beginningText, type Sentence, severityLabels, verdictLabels } from '../../../core/alerting/copy.ts'
import { dayOf } from '../../mail/figures.ts'
import { styles as mailStyles } from '../../mail/look.ts'
import type { MessageItem } from '../message.ts'
import { cutMiddle } from './cut-middle.ts'
import { endingOf, handledWord, isGood, isOver, overWord, worseText } from '../outbound/copy.ts'
import { titleOf } from './copy.ts'
import { badgeStyle, styles, toneOf } from './look.ts'

/** The reader and the installation, for every email. */
export type About = {
  /** The account's name; null if it may mislead strangers. */
  username: string | null
  /** The time zone they chose, in which the email gives every time. */
  timeZone: string
  /** This installation's URL, without a trailing slash. */
  baseUrl: string
  /** The unsubscribe page. */
  unsubscribePage: string
  /** The page that asks the reader to confirm this verdict on an alert. */
  verdictPage: (alert: Pick<MessageItem, 'alertId' | 'openedAt'>, verdict: AlertVerdict) => string
}

type Reader = Pick<About, 'timeZone'>

/** Maximum number of characters shown of names and of the text around them; the report has everything. */
const most = { title: 90, name: 80, words: 700 }

export const link = (label: ReactNode, href: string): ReactElement => h(Link, { href, className: 'link', style: mailStyles.link }, label)

/** Marks user-supplied text. */
export const name = (text: string, length = most.name): ReactElement =>
  h('code', { dir: 'auto', style: styles.name }, cutMiddle(text, length))

/** How bad it is, or that it is over; the word says so without the color. */
export function badge(item: MessageItem): ReactElement {
  const { severity } = item
  const tone = !isOver(item) ? toneOf[severity] : isGood(item) ? 'positive' : 'neutral'
  return h('span', { className: `badge ${tone}`, style: badgeStyle(tone) }, isOver(item) ? overWord(item) : severityLabels[severity])
}

/** Badge and title, which links to the report. */
export const titleLine = (item: MessageItem, report: string, length = most.title): ReactNode[] => [
  badge(item),
  ' ',
  h(Link, { href: report, className: 'link', style: styles.titleLink }, titleOf(item, length)),
  handledWord(item) !== null && h('span', { key: 'handled', className: 'muted', style: styles.handled }, ` · ${handledWord(item)}`),
]

/** What changed, from what to what, and the dates. */
export const sentence = (item: MessageItem, reader: Reader): ReactNode[] => [opening(item, reader), ...pieces(item.sentence)]

/** A sentence with user-supplied names. */
export const pieces = (of: Sentence): ReactNode[] =>
  of.map((part, index) => h('span', { key: index }, typeof part === 'string' ? unbroken(words(part)) : name(part.name)))

/** `27 Oct–2 Nov 2026` */
const days = /(\d{1,2}(?: [A-Z][a-z]{2}(?: \d{4})?)?–\d{1,2} [A-Z][a-z]{2}(?: \d{4})?)/

/** Keeps days on one line. */
const unbroken = (text: string): ReactNode[] =>
  text.split(days).map((piece, at) => (at % 2 === 1 ? h('span', { key: at, style: styles.unbroken }, piece) : piece))

/** Same for plain text. */
export const plainSentence = (item: MessageItem, reader: Reader): string =>
  opening(item, reader) + item.sentence.map((part) => (typeof part === 'string' ? words(part) : cutMiddle(part.name, most.name))).join('')

/** Our own words, which include the property's name in connection alerts; keeps spaces next to a name. */
const words = (part: string): string => `${part.startsWith(' ') ? ' ' : ''}${cutMiddle(part, most.words)}${part.endsWith(' ') ? ' ' : ''}`

function opening(item: MessageItem, reader: Reader): string {
  if (isOver(item)) return overLead(item, reader)
  // The word after its title says it all.
  if (handledWord(item) !== null) return ''
  const worse = worseText(item)
  if (worse !== null) return `This alert has become much worse: ${worse}. `
  if (item.event === 'woken') return 'Snooze ended; this alert is still active. '
  // Mostly its reader's first message about it.
  return item.event === 'worsened' ? `This critical alert has been open since ${dayOf(item.openedAt, reader.timeZone)}. ` : ''
}

/** How it ended and, if nobody was notified while it was open, when. */
function overLead(item: MessageItem, { timeZone }: Reader): string {
  const { event, entity, type, ended, severity } = item
  const on = event !== 'recovered' && ended ? ` on ${dayOf(ended.at, timeZone)}` : ''
  switch (endingOf(item)) {
    case 'withdrawn':
      return severity === 'positive' ? "Final data doesn't show this change. " : "Good news: final data doesn't show this change. "
    case 'recovered':
      if (entity.kind === 'connection') return `Good news: this was resolved${on}. The problem was: `
      return `Good news: this ${on === '' ? 'has recovered' : `recovered${on}`}. The alert was: `
    case 'settled':
      return `This ${on === '' ? 'has settled' : `settled${on}`} at a new level${ended?.level ? `: ${levelText(type, ended.level)}` : ''}. The alert was: `
    case 'revised':
      return 'Google revised the data, so this is no longer unusual. The alert was: '
    case 'ended':
      return `This ${on === '' ? 'has ended' : `ended${on}`}. The alert was: `
  }
}

/** `Since Tue 18 Nov; expected 610–820.`, for an alert that isn't over; null if nothing is known. */
export function begun(item: MessageItem): string | null {
  const said = isOver(item) ? null : beginningText(item)
  return said && `${said[0]?.toUpperCase()}${said.slice(1)}.`
}

/** Asks whether an alert was useful, except for one that is over or about a broken connection. */
export function verdictLine(item: MessageItem, { verdictPage }: Pick<About, 'verdictPage'>): ReactNode {
  const asked = verdictQuestion(item, { verdictPage })
  return asked.length > 0 && h('p', { key: 'verdict', className: 'muted', style: styles.note }, ...asked)
}

export function verdictQuestion(item: MessageItem, { verdictPage }: Pick<About, 'verdictPage'>): ReactNode[] {
  if (item.event === 'recovered' || item.entity.kind === 'connection') return []
  const useful = link(verdictLabels.useful, verdictPage(item, 'useful'))
  return ['How would you rate this alert? ', useful, ' · ', link(verdictLabels.noise, verdictPage(item, 'noise'))]
}
