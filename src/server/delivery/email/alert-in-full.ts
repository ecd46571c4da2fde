import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { daysBetween } from '../../../core/analytics/days.ts'
import { coincidenceSentence } from '../../../core/alerting/coincidences.ts'
import { comparedHours } from '../../../core/alerting/hours/hourly-words.ts'
import { daysOf, figure, nouns } from '../../../core/alerting/words.ts'
import { dayOf } from '../../mail/figures.ts'
import type { NewsItem } from '../message.ts'
import { alsoFound } from '../outbound/also-found.ts'
import { actionLink, reportLink } from '../outbound/links.ts'
import { cutMiddle } from './cut-middle.ts'
import { figuresTable } from './figures-table.ts'
import { changeMark } from './item-words.ts'
import { styles } from './look.ts'
import { type About, badge, link, name, pieces, sentence, titleLine, verdictLine } from './pieces.ts'
import { sparkline } from './sparkline.ts'

/** Of the only alert in a mail, and of the first of several. */
const mostContributors = { only: 5, first: 3 }
const mostNameOfFirst = 40
const mostContributorName = 70

type Place = Pick<About, 'baseUrl' | 'verdictPage'> & {
  /** Set where the mail is about this alone: its title is the headline then, and the property is what is left to say. */
  site: string | null
}

/** One alert with its figures, its days and what is behind it. */
export function alertInFull(item: NewsItem, { baseUrl, verdictPage, site }: Place): ReactElement {
  const isOver = item.event === 'recovered'
  const title = site === null ? titleLine(item, reportLink(baseUrl, item.alertId)) : isOver ? [site] : [badge(item), ' ', site]
  return h(
    'div',
    { key: `${item.alertId} ${item.event}` },
    h(site === null ? 'h2' : 'p', { style: site === null ? styles.title : styles.small }, ...title),
    h('p', { style: styles.sentence }, ...sentence(item)),
    // What has recovered has other figures by now.
    ...(isOver
      ? []
      : [
          whyOf(item),
          // Its sentence has the same figures: of several alerts none has room for both.
          site === null ? since(item) : figuresOf(item),
          sparkline(item),
          contributorsOf(item, site === null ? mostContributors.first : mostContributors.only),
          findingsOf(item),
          coincidencesWith(item),
          remedy(item, baseUrl),
        ]),
    verdictLine(item, { verdictPage }),
  )
}

/** What the change is mostly made of. */
const whyOf = ({ why }: NewsItem): ReactNode => why && h('p', { key: 'why', style: styles.sentence }, ...pieces(why))

function coincidencesWith({ coincidences = [] }: NewsItem): ReactNode {
  const said = coincidenceSentence(coincidences)
  return said && h('p', { key: 'coincidences', className: 'muted', style: styles.note }, ...pieces(said))
}

const since = ({ openedAt }: NewsItem): ReactNode =>
  h('p', { key: 'since', className: 'muted', style: styles.note }, `Open since ${dayOf(openedAt)}.`)

function figuresOf(item: NewsItem): ReactNode {
  const { type, currentValue, previousValue, current, previous, entity, hours, unusual } = item
  if (entity.kind === 'connection' || (currentValue === null && previousValue === null)) return since(item)
  const otherYear = current !== null && previous !== null && current.end.slice(0, 4) !== previous.start.slice(0, 4)
  const days = (span: NewsItem['current']) => (span === null ? '' : daysOf(span, otherYear))
  const byHours = comparedHours(hours, current)
  // Longer periods are compared by their weekly share.
  const isShare =
    current !== null && previous !== null && daysBetween(previous.start, previous.end) > daysBetween(current.start, current.end)
  const table = figuresTable(
    ['', nouns[type], 'Days'],
    [
      unusual
        ? { name: 'Expected', figures: [figure(type, previousValue), days(current)] }
        : {
            name: byHours ? 'Usual' : 'Previous',
            figures: [figure(type, previousValue), byHours?.usual ?? (isShare ? `weekly average, ${days(previous)}` : days(previous))],
          },
      {
        name: hours?.status === 'preliminary' ? 'So far' : 'Current',
        figures: [figure(type, currentValue), byHours?.now ?? days(current)],
      },
      { name: 'Change', figures: [changeMark(item), ''] },
    ],
  )
  return [h('div', { key: 'figures' }, table), since(item)]
}

function contributorsOf({ type, contributors }: NewsItem, most: number): ReactNode {
  if (contributors.length === 0) return null
  const shown = contributors.slice(0, most)
  const host = commonHost(shown.map((each) => each.name))
  const rows = shown.map((each) => ({
    name: name(each.name.slice(host.length), most === mostContributors.only ? mostContributorName : mostNameOfFirst),
    figures: [figure(type, each.previousValue), figure(type, each.currentValue), changeMark({ type, ...each })],
  }))
  const head = [cutMiddle(host.replace(/^https?:\/\//, ''), mostContributorName), 'Previous', 'Current', 'Change']
  return h('div', null, h('h3', { style: styles.heading }, `${nouns[type]}: top contributors`), figuresTable(head, rows))
}

/** What else was found of the same cause: one alert tells of all of it. */
function findingsOf(item: NewsItem): ReactNode {
  const also = alsoFound(item)
  return also && h('p', { key: 'also', className: 'muted', style: styles.note }, also)
}

/** What all pages begin with, up to their path: said once, it leaves room for what tells them apart. Empty for anything else. */
function commonHost(names: readonly string[]): string {
  const host = /^https?:\/\/[^\s/?#]+(?=\/)/.exec(names[0] ?? '')?.[0] ?? ''
  return names.every((each) => each.startsWith(`${host}/`)) ? host : ''
}

/** What mends it. It goes to a page of ours or to one on the web, and nowhere else. */
export function remedy({ action }: NewsItem, baseUrl: string): ReactNode {
  const mends = actionLink(baseUrl, action)
  if (mends === null || !(mends.url.startsWith(`${baseUrl}/`) || mends.url.startsWith('https://'))) return null
  return h('p', { style: styles.sentence }, 'What to do: ', link(mends.label, new URL(mends.url).href))
}
