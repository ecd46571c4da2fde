import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { changeText, daysOf, figure, nouns } from '../../../core/alerting/words.ts'
import { action, type Draft } from '../../mail/layout.ts'
import type { Composed } from '../../mail/render.ts'
import type { MessageOf, NewsItem, Standing } from '../message.ts'
import { alertsLink, reportLink } from '../outbound/links.ts'
import { counted } from '../outbound/names.ts'
import { standingFigure } from '../outbound/standing-figure.ts'
import { allot } from './allot.ts'
import { figuresTable } from './figures-table.ts'
import { fitted } from './fitted.ts'
import { changeMark, countsOf, siteName, titleOf } from './item-words.ts'
import { styles } from './look.ts'
import { frame } from './mail-frame.ts'
import { type About, sentence, titleLine, verdictLine } from './pieces.ts'

type Digest = MessageOf<'digest'>
type Section = Digest['properties'][number]

/** Alerts told over all properties, those of a digest that has room to ask about each, and alerts of one property. */
const most = { items: 60, rated: 20, itemsOfOne: 5, siteInPreview: 40, titleInPreview: 90 }
const metrics = ['clicks', 'impressions', 'ctr', 'position'] as const

/** How every property did, and what happened there. */
export const digestMail = (message: Digest, about: About): Composed => fitted((items) => draft(message, about, items), most.items)

function draft({ frequency, properties }: Digest, about: About, mostItems: number): Draft {
  const { baseUrl } = about
  const items = properties.flatMap((property) => property.items)
  const sites = counted(properties.length, 'site')
  const happened = items.length === 0 ? `all quiet on ${sites}` : `${countsOf(items)} on ${sites}`
  const told = allot(
    properties.map((property) => Math.min(most.itemsOfOne, property.items.length)),
    mostItems,
  )
  const verdictPage = told.reduce((sum, count) => sum + count, 0) <= most.rated ? about.verdictPage : null
  return {
    subject: `Your ${frequency} digest: ${happened}`,
    mail: frame(
      {
        preview: previewOf(properties),
        headline: happened.charAt(0).toUpperCase() + happened.slice(1),
        because: `a ${frequency} digest is sent to this address`,
      },
      about,
      h('p', { className: 'muted', style: styles.note }, 'Your sites over the last 7 complete days vs the previous 7.'),
      ...properties.map((property, at) => section(property, { baseUrl, verdictPage, told: told[at] ?? 0, isFirst: at === 0 })),
      h(
        'div',
        { style: styles.ending },
        items.length > 0 || properties.some(({ open }) => open > 0)
          ? action('View all alerts', alertsLink(baseUrl))
          : action('View your dashboard', `${baseUrl}/dashboard`),
      ),
    ),
  }
}

/** The worst of what happened, or how the first property did. */
function previewOf(properties: readonly Section[]): string {
  const hit = properties.find(({ items }) => items.length > 0)
  const [item] = hit?.items ?? []
  if (hit && item) return `${titleOf(item, most.titleInPreview)} · ${siteName(hit.name, most.siteInPreview)}`
  const known = properties.find(({ standing }) => standing !== null)
  if (!known?.standing) return 'No complete days yet.'
  const { clicks } = known.standing
  const change = clicks.change === null ? '' : ` (${changeText('clicks', clicks.change)})`
  return `${siteName(known.name, most.siteInPreview)}: ${figure('clicks', clicks.value)} clicks${change}, ${daysOf(known.standing.current)}`
}

type Asking = { baseUrl: string; verdictPage: About['verdictPage'] | null }
type Place = Asking & { told: number; isFirst: boolean }

function section({ name, standing, items, open }: Section, { told, isFirst, ...about }: Place): ReactElement {
  const left = items.length - told
  const more = [
    ...(left > 0 ? [`And ${counted(left, 'more', 'more')}.`] : []),
    ...(open > 0 ? [`${counted(open, 'alert is', 'alerts are')} open.`] : []),
  ].join(' ')
  return h(
    'div',
    { key: name, className: 'rule', style: isFirst ? styles.firstItem : styles.item },
    h('h2', { style: styles.site }, siteName(name)),
    standing === null ? h('p', { style: styles.small }, 'No data yet: this property has no complete days.') : standingTable(standing),
    ...items.slice(0, told).map((item) => inShort(item, about)),
    more !== '' && h('p', { className: 'muted', style: styles.note }, more),
  )
}

function standingTable({ current, previous, ...figures }: Standing): ReactNode {
  const otherYear = current.end.slice(0, 4) !== previous.start.slice(0, 4)
  const rows = metrics.map((metric) => {
    const { value, previous: before, change } = figures[metric]
    // In per cent for positions as well, as on the dashboard; so the arrow is that of the figure.
    const mark = change === null ? '–' : changeMark({ type: 'clicks', change, currentValue: value })
    return { name: nouns[metric], figures: [standingFigure(metric, value), standingFigure(metric, before), mark] }
  })
  return figuresTable(['', daysOf(current, otherYear), daysOf(previous, otherYear), 'Change'], rows)
}

function inShort(item: NewsItem, { baseUrl, verdictPage }: Asking): ReactElement {
  return h(
    'div',
    { key: `${item.alertId} ${item.event}` },
    h('h3', { style: styles.shortTitle }, ...titleLine(item, reportLink(baseUrl, item.alertId))),
    h('p', { style: styles.small }, ...sentence(item)),
    verdictPage && verdictLine(item, { verdictPage }),
  )
}
