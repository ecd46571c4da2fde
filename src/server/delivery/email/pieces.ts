import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { Link } from '@react-email/link'
import type { AlertVerdict } from '../../../contract/alerts/alerts.ts'
import { type Sentence, verdictLabels } from '../../../core/alerting/words.ts'
import { styles as letters } from '../../mail/look.ts'
import type { NewsItem } from '../message.ts'
import { cutMiddle } from './cut-middle.ts'
import { overWord, severityWords } from '../outbound/severity-words.ts'
import { titleOf } from './item-words.ts'
import { badgeStyle, styles, toneOf } from './look.ts'

/** What every mail says of its reader and its place. */
export type About = {
  username: string
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: string
  /** The page that ends these mails. */
  unsubscribePage: string
  /** The page that asks whether its reader wants to say this of an alert. */
  verdictPage: (told: Pick<NewsItem, 'alertId' | 'openedAt'>, verdict: AlertVerdict) => string
}

/** Characters that are shown of names and of what is around them; the whole is in the report. */
const most = { title: 90, name: 80, words: 700 }

export const link = (label: ReactNode, href: string): ReactElement => h(Link, { href, className: 'link', style: letters.link }, label)

/** Somebody else's text as such. */
export const name = (text: string, length = most.name): ReactElement =>
  h('code', { dir: 'auto', style: styles.name }, cutMiddle(text, length))

/** How bad it is, or that it is over; the word says so without its colour. */
export function badge(item: NewsItem): ReactElement {
  const { severity, event } = item
  const tone = event === 'recovered' ? 'positive' : toneOf[severity]
  return h(
    'span',
    { className: `badge ${tone}`, style: badgeStyle(tone) },
    event === 'recovered' ? overWord(item) : severityWords[severity],
  )
}

/** Badge and title, which links to the report. */
export const titleLine = (item: NewsItem, report: string, length = most.title): ReactNode[] => [
  badge(item),
  ' ',
  h(Link, { href: report, className: 'link', style: styles.titleLink }, titleOf(item, length)),
]

/** What changed, from what to what, over which dates. */
export const sentence = (item: NewsItem): ReactNode[] => [opening(item), ...pieces(item.sentence)]

/** A sentence whose names are somebody else's text. */
export const pieces = (of: Sentence): ReactNode[] =>
  of.map((part, index) => h('span', { key: index }, typeof part === 'string' ? unbroken(words(part)) : name(part.name)))

/** `27 Oct–2 Nov 2026` */
const days = /(\d{1,2}(?: [A-Z][a-z]{2}(?: \d{4})?)?–\d{1,2} [A-Z][a-z]{2}(?: \d{4})?)/

/** Days stay on one line. */
const unbroken = (text: string): ReactNode[] =>
  text.split(days).map((piece, at) => (at % 2 === 1 ? h('span', { key: at, style: styles.unbroken }, piece) : piece))

/** The same where there is only plain text. */
export const plainSentence = (item: NewsItem): string =>
  opening(item) + item.sentence.map((part) => (typeof part === 'string' ? words(part) : cutMiddle(part.name, most.name))).join('')

/** Our own words, which in those about a connection hold the property's name; blanks next to a name stay. */
const words = (part: string): string => `${part.startsWith(' ') ? ' ' : ''}${cutMiddle(part, most.words)}${part.endsWith(' ') ? ' ' : ''}`

function opening({ event, entity, hours }: NewsItem): string {
  if (event === 'recovered' && hours?.status === 'withdrawn') return "Good news: final data doesn't show this change. "
  if (event === 'recovered')
    return entity.kind === 'connection'
      ? 'Good news: this is working again. The problem was: '
      : 'Good news: this has recovered. The alert was: '
  return event === 'woken' ? 'Snooze ended; this alert is still active. ' : ''
}

/** Asks whether an alert was useful; nothing of what is over, nor of a broken connection. */
export function verdictLine(item: NewsItem, { verdictPage }: Pick<About, 'verdictPage'>): ReactNode {
  const asked = verdictQuestion(item, { verdictPage })
  return asked.length > 0 && h('p', { key: 'verdict', className: 'muted', style: styles.note }, ...asked)
}

export function verdictQuestion(item: NewsItem, { verdictPage }: Pick<About, 'verdictPage'>): ReactNode[] {
  if (item.event === 'recovered' || item.entity.kind === 'connection') return []
  const useful = link(verdictLabels.useful, verdictPage(item, 'useful'))
  return ['Was this useful? ', useful, ' · ', link(verdictLabels.noise, verdictPage(item, 'noise'))]
}
