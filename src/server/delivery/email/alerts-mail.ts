import { createElement as h, type ReactNode } from 'react'
import { action, type Draft, remark } from '../../mail/layout.ts'
import type { Composed } from '../../mail/render.ts'
import type { MessageOf, NewsItem } from '../message.ts'
import { alertsLink, reportLink, searchConsoleLink } from '../outbound/links.ts'
import { counted } from '../outbound/names.ts'
import { overWord } from '../outbound/severity-words.ts'
import { alertInFull } from './alert-in-full.ts'
import { fitted } from './fitted.ts'
import { countsOf, siteName, titleOf, underProperty } from './item-words.ts'
import { styles } from './look.ts'
import { frame } from './mail-frame.ts'
import { type About, link, plainSentence, titleLine } from './pieces.ts'

const mostInFull = 10
const mostShown = 30
const most = { subject: 120, siteInSubject: 48, headline: 160 }

/** What changed on one property: the first things in full, some more by their titles, the rest counted. */
export const alertsMail = (message: MessageOf<'alerts'>, about: About): Composed =>
  fitted((inFull) => draft(message, about, inFull), Math.min(mostInFull, message.items.length))

function draft({ property, items }: MessageOf<'alerts'>, about: About, inFull: number): Draft {
  const { baseUrl } = about
  const site = siteName(property)
  const [first, ...others] = items
  const only = others.length === 0 ? first : undefined
  const searchConsole = searchConsoleLink(property)
  return {
    subject: subjectOf(property, items),
    mail: frame(
      {
        preview:
          first === undefined ? '' : `${plainSentence(first)}${others.length > 0 ? ` And ${counted(others.length, 'more', 'more')}.` : ''}`,
        headline: only ? soleTitle(only, most.headline) : `${countsOf(items)} on ${site}`,
        because: `alerts about ${site} are sent to this address`,
      },
      about,
      ...items.slice(0, inFull).map((item, at) => alertInFull(item, { ...about, site: only ? site : null, isFirst: at === 0 })),
      listed(items.slice(inFull, mostShown), baseUrl),
      items.length > mostShown && h('p', { style: styles.sentence }, `And ${counted(items.length - mostShown, 'more', 'more')}.`),
      h(
        'div',
        { style: styles.ending },
        only ? action('View full report', reportLink(baseUrl, only.alertId)) : action('View all alerts', alertsLink(baseUrl)),
      ),
      searchConsole !== null && remark(link('View in Search Console', searchConsole)),
    ),
  }
}

const soleTitle = (item: NewsItem, length: number): string =>
  item.event === 'recovered' ? `${overWord(item)}: ${titleOf(item, length - 11)}` : titleOf(item, length)

/** What changed comes first, or how much did. */
function subjectOf(property: string, items: readonly NewsItem[]): string {
  const site = siteName(property, most.siteInSubject)
  const [first, ...others] = items.map((item) => underProperty(item, property))
  if (first === undefined) return site
  if (others.length === 0) return `${soleTitle(first, most.subject - 3 - site.length)} · ${site}`
  const counts = `${countsOf(items)} on ${site}: `
  const over = first.event === 'recovered' ? ', now over' : ''
  return `${counts}${titleOf(first, most.subject - counts.length - over.length)}${over}`
}

function listed(items: readonly NewsItem[], baseUrl: string): ReactNode {
  if (items.length === 0) return null
  return h(
    'div',
    { className: 'rule', style: styles.item },
    h('h2', { style: styles.title }, 'Also'),
    h(
      'ul',
      { style: styles.list },
      items.map((item) =>
        h('li', { key: `${item.alertId} ${item.event}`, style: styles.listed }, ...titleLine(item, reportLink(baseUrl, item.alertId))),
      ),
    ),
  )
}
