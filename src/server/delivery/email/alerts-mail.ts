import { createElement as h } from 'react'
import { action, type Draft, remark } from '../../mail/layout.ts'
import { type Composed, render } from '../../mail/render.ts'
import { itemsIn, type MessageOf, type MessageItem } from '../message.ts'
import { alertsLink, reportLink, searchConsoleLink } from '../outbound/links.ts'
import { counted } from '../../../core/words.ts'
import { countsOf, isOver, overTitle } from '../outbound/copy.ts'
import { shareOf, togetherOf } from '../outbound/together.ts'
import { alertInFull } from './alert-in-full.ts'
import { siteName, titleOf, underProperty } from './copy.ts'
import { styles } from './look.ts'
import { frame } from './mail-frame.ts'
import { moreNote, itemList } from './item-list.ts'
import { type About, link, plainSentence } from './pieces.ts'

type AlertsMessage = MessageOf<'alerts'>
const most = { subject: 120, siteInSubject: 48, headline: 160 }

/** What changed: one alert with all its figures, or the first of several in full and the others in brief. */
export const alertsMail = (message: AlertsMessage, about: About): Composed => render(draft(message, about))

function draft(message: AlertsMessage, about: About): Draft {
  const { baseUrl } = about
  const { properties } = message
  const [property, ...otherProperties] = properties
  const [first, ...others] = itemsIn(message)
  const only = others.length === 0 ? first : undefined
  const site = property !== undefined && otherProperties.length === 0 ? siteName(property.name) : null
  const searchConsole = property !== undefined && otherProperties.length === 0 ? searchConsoleLink(property.name) : null
  return {
    subject: subjectOf(message),
    mail: frame(
      {
        preview:
          first === undefined
            ? ''
            : `${plainSentence(first, about)}${others.length > 0 ? ` And ${counted(others.length, 'more', 'more')}.` : ''}`,
        headline: only ? soleTitle(only, most.headline) : headlineOf(message, site),
        because: `alerts about ${site ?? 'your properties'} are sent to this address`,
      },
      about,
      ...(only
        ? [alertInFull(only, { ...about, site })]
        : itemList(properties, { about, isLeadInFull: true, properties: properties.length })),
      moreNote(message),
      h(
        'div',
        { style: styles.ending },
        only ? action('View full report', reportLink(baseUrl, only.alertId)) : action('View all alerts', alertsLink(baseUrl)),
      ),
      searchConsole !== null && remark(link('View in Search Console', searchConsole)),
    ),
  }
}

const headlineOf = (message: AlertsMessage, site: string | null): string =>
  togetherOf(message) ?? `${countsOf(itemsIn(message), message.more)} on ${site ?? shareOf(message.properties.length, message.monitored)}`

const soleTitle = (item: MessageItem, length: number): string =>
  isOver(item) ? `${overTitle(item)}: ${titleOf(item, length - overTitle(item).length - 2)}` : titleOf(item, length)

/** Starts with what changed, or how many alerts did. */
function subjectOf(message: AlertsMessage): string {
  const [property, ...otherProperties] = message.properties
  if (property === undefined) return ''
  if (otherProperties.length > 0) return headlineOf(message, null)
  const site = siteName(property.name, most.siteInSubject)
  const [first, ...others] = property.items.map((item) => underProperty(item, property.name))
  if (first === undefined) return site
  if (others.length === 0) return `${soleTitle(first, most.subject - 3 - site.length)} · ${site}`
  const counts = `${countsOf(property.items, message.more)} on ${site}: `
  const over = isOver(first) ? ', now over' : ''
  return `${counts}${titleOf(first, most.subject - counts.length - over.length)}${over}`
}
