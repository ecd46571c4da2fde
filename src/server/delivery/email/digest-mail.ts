import { type ReactNode, createElement as h } from 'react'
import { type Draft, action } from '../../mail/layout.ts'
import { type Composed, render } from '../../mail/render.ts'
import { type MessageOf, itemsIn } from '../message.ts'
import { countsOf, incomparableNote, nothingHappened, otherFigures, standingSentence, stillOpen, weeksOf } from '../outbound/copy.ts'
import { alertsLink } from '../outbound/links.ts'
import { counted } from '../../../core/words.ts'
import { togetherOf } from '../outbound/together.ts'
import { siteName, titleOf } from './copy.ts'
import { styles } from './look.ts'
import { frame } from './mail-frame.ts'
import { moreNote, itemList } from './item-list.ts'
import type { About } from './pieces.ts'

/**
 * Gmail shows 102 KB of an email and cuts off the rest, including the unsubscribe link; some of that is reserved for what is added in
 * transit.
 */
const mostBytes = 92_000

/** An email with as many parts as keep it short enough, at most `most`; none if need be. */
function fitted(draftOf: (parts: number) => Draft, most: number): Composed {
  for (let parts = most; ;) {
    const composed = render(draftOf(parts))
    const size = sizeOf(composed.html)
    if (parts === 0 || size <= mostBytes) return composed
    parts = Math.floor(parts * Math.min(0.9, mostBytes / size))
  }
}

/** Size in quoted-printable, as transmitted: non-ASCII bytes and the equals sign take three bytes each. */
const sizeOf = (html: string): number => Buffer.from(html).reduce((bytes, byte) => bytes + (byte > 126 || byte === 0x3d ? 3 : 1), 0)

type Digest = MessageOf<'digest'>
type Section = Digest['properties'][number]

/** Properties shown ahead of the alerts, and with all their figures; the others come last. */
const most = { first: 6, withFigures: 3, itemsBesideFigures: 8, all: 100, site: 40, siteInPreview: 40, titleInPreview: 90 }

/** How every property did, and its alerts. */
export const digestMail = (message: Digest, about: About): Composed => fitted((sites) => draft(message, about, sites), most.all)

function draft(message: Digest, about: About, mostSites: number): Draft {
  const { frequency, properties } = message
  const { baseUrl } = about
  const items = itemsIn(message)
  const sites = counted(properties.length, 'property', 'properties')
  const together = togetherOf({ properties, monitored: properties.length })
  const open = stillOpen(properties)
  const quiet = open === null ? `all quiet on ${sites}` : `no new alerts on ${sites}, ${open}`
  const happened = together ?? (items.length === 0 ? quiet : `${countsOf(items, message.more)} on ${sites}`)
  const hasFigures = properties.length <= most.withFigures && items.length <= most.itemsBesideFigures
  const incomparable = incomparableNote(properties, hasFigures)
  const [first, others] = [properties.slice(0, most.first), properties.slice(most.first, mostSites)]
  const left = properties.length - first.length - others.length
  return {
    subject: `Your ${frequency} digest: ${happened}`,
    mail: frame(
      {
        preview: previewOf(properties),
        headline: items.length === 0 ? nothingHappened(properties) : happened.charAt(0).toUpperCase() + happened.slice(1),
        because: `a ${frequency} digest is sent to this address`,
      },
      about,
      ...first.map((section) => summary(section, hasFigures)),
      h('p', { className: 'muted', style: styles.note }, [weeksOf(properties), incomparable].filter(Boolean).join(' ')),
      ...itemList(
        properties.filter((property) => property.items.length > 0),
        { about, isLeadInFull: false, properties: properties.length },
      ),
      moreNote(message),
      others.length > 0 &&
        h(
          'div',
          { className: 'rule', style: styles.item },
          h('h2', { style: styles.site }, 'Your other properties'),
          ...others.map((section) => summary(section, false)),
          left > 0 && h('p', { className: 'muted', style: styles.note }, `And ${counted(left, 'more', 'more')}.`),
        ),
      h(
        'div',
        { style: styles.ending },
        items.length > 0 || open !== null
          ? action('View all alerts', alertsLink(baseUrl))
          : action('View your dashboard', `${baseUrl}/dashboard`),
      ),
    ),
  }
}

/** The worst alert, or how the first property did. */
function previewOf(properties: readonly Section[]): string {
  const hit = properties.find(({ items }) => items.length > 0)
  const [item] = hit?.items ?? []
  if (hit && item) return `${titleOf(item, most.titleInPreview)} · ${siteName(hit.name, most.siteInPreview)}`
  const known = properties.find(({ standing }) => standing !== null)
  return known ? `${siteName(known.name, most.siteInPreview)}: ${standingSentence(known)}` : 'No complete days yet.'
}

/** One sentence; with few properties, the other figures follow below. */
function summary(section: Section, hasFigures: boolean): ReactNode {
  const { name, standing } = section
  const figures = hasFigures && standing !== null ? otherFigures(standing).map((figure) => figure.replaceAll(' ', '\u00A0')) : []
  return h(
    'div',
    { key: name },
    h(
      'p',
      { style: figures.length > 0 ? styles.beforeNote : styles.small },
      h('strong', null, siteName(name, most.site)),
      `: ${standingSentence(section)}`,
    ),
    figures.length > 0 && h('p', { className: 'muted', style: styles.afterSmall }, figures.join(' · ')),
  )
}
