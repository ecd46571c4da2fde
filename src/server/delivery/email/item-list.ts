import { type ReactElement, type ReactNode, createElement as h } from 'react'
import type { MessageItem } from '../message.ts'
import { shortWhy } from '../../../core/alerting/why.ts'
import { otherFindings, foundByRules } from '../outbound/other-findings.ts'
import { isBad, isGood, isOver } from '../outbound/copy.ts'
import { reportLink } from '../outbound/links.ts'
import { counted } from '../../../core/words.ts'
import { alertInFull, remedy } from './alert-in-full.ts'
import { siteName, underProperty } from './copy.ts'
import { styles } from './look.ts'
import { type About, begun, pieces, sentence, titleLine, verdictQuestion } from './pieces.ts'

/**
 * How many declines get a sentence, how many of these also their main cause, and how many more just a title; good news only gets titles. If
 * not everything fits anyway, fewer are shown, to stay within two screens.
 */
const few = { short: 3, why: 2, lines: 3, good: 2 }
const usual = { ...few, why: 1 }
const ofMany = { short: 2, why: 1, lines: 2, good: 1 }
const ofManyProperties = { ...ofMany, short: 1 }
const fewProperties = 3
const most = { line: 56, site: 40, why: 100 }

type Property = { name: string; items: readonly MessageItem[] }
/** @property isLeadInFull with few alerts the first is shown with its days and contributors @property properties in the message */
type Place = { about: About; isLeadInFull: boolean; properties: number }

/**
 * What happened on each property, as much as two phone screens hold besides the rest: first declines, the most important ones in more
 * detail, then good news and what is over otherwise separately.
 */
export function itemList(listed: readonly Property[], { about, isLeadInFull, properties }: Place): ReactNode[] {
  const { baseUrl } = about
  const sites = listed.map(({ name, items }) => ({ name, items: items.map((item) => underProperty(item, name)) }))
  const hasBad = sites.some(({ items }) => items.some(isBad))
  const main = sites.map(({ name, items }) => ({ name, items: hasBad ? items.filter(isBad) : items }))
  const besides = (is: (item: MessageItem) => boolean) =>
    hasBad ? linesOf(sites.map(({ name, items }) => ({ name, items: items.filter((item) => !isBad(item) && is(item)) }))) : []
  const severalSites = properties > 1
  const bad = main.reduce((sum, { items }) => sum + items.length, 0)
  const limits = bad <= few.short ? few : bad <= usual.short + usual.lines ? usual : properties > fewProperties ? ofManyProperties : ofMany
  const shortEnds = allot(
    main.map(({ items }) => items.length),
    limits.short,
  )
  const whyEnds = allot(shortEnds, limits.why)
  const hasLead = isLeadInFull && bad <= usual.short
  const full = shortEnds.map((end, at) => (hasLead && at === 0 ? Math.min(1, end) : 0))
  const others = linesOf(main.map(({ name, items }, at) => ({ name, items: items.slice(shortEnds[at]) })))
  return [
    ...main.map(({ name, items }, at) =>
      shortEnds[at] === 0
        ? null
        : h(
            'div',
            { key: name, className: 'rule', style: at === 0 && isLeadInFull ? styles.firstItem : styles.item },
            severalSites && h('h2', { style: styles.site }, siteName(name, most.site)),
            ...items.slice(0, full[at]).map((item) => alertInFull(item, { ...about, site: null })),
            ...items.slice(full[at], shortEnds[at]).map((item, n) => inShort(item, about, (full[at] ?? 0) + n < (whyEnds[at] ?? 0))),
          ),
    ),
    lineList('Also', others, { most: limits.lines, severalSites, baseUrl }),
    lineList('Good news', besides(isGood), { most: limits.good, severalSites, baseUrl }),
    lineList(
      'No longer open',
      besides((item) => !isGood(item)),
      { most: limits.good, severalSites, baseUrl },
    ),
  ]
}

type Line = { site: string; item: MessageItem }

/** The first of each property, then the second of each, so that no property hides another. */
const linesOf = (properties: readonly Property[]): Line[] =>
  properties.flatMap(({ name, items }) => items.map((item, at) => ({ site: name, item, at }))).toSorted((a, b) => a.at - b.at)

type ListPlace = { most: number; severalSites: boolean; baseUrl: string }

function lineList(title: string, lines: readonly Line[], place: ListPlace): ReactNode {
  if (lines.length === 0) return null
  const left = lines.length - place.most
  return h(
    'div',
    { key: title, className: 'rule', style: styles.item },
    h('h2', { style: styles.site }, title),
    h(
      'ul',
      { style: styles.list },
      lines
        .slice(0, place.most)
        .map(({ item, site }) =>
          h(
            'li',
            { key: `${item.alertId} ${item.event}`, style: styles.listed },
            ...titleLine(item, reportLink(place.baseUrl, item.alertId), most.line),
            place.severalSites && ` · ${siteName(site, most.site)}`,
          ),
        ),
    ),
    left > 0 && note(`And ${counted(left, 'more', 'more')}.`),
  )
}

/** The alerts that a message only counts. */
export const moreNote = ({ more = 0 }: { more?: number | undefined }): ReactNode =>
  more > 0 && note(`And ${counted(more, 'more alert')}, none more severe than these.`)

const note = (text: string): ReactElement => h('p', { key: text, className: 'muted', style: styles.note }, text)

function inShort(item: MessageItem, about: About, hasWhy: boolean): ReactElement {
  const also = otherFindings(item)
  const rules = foundByRules(item)
  const asked = verdictQuestion(item, about)
  const said = [begun(item), also && `${also}.`, rules].filter((part) => part !== null).join(' ')
  const small = [...(said === '' ? [] : [asked.length > 0 ? `${said} ` : said]), ...asked]
  return h(
    'div',
    { key: `${item.alertId} ${item.event}` },
    h('h3', { style: styles.shortTitle }, ...titleLine(item, reportLink(about.baseUrl, item.alertId))),
    h(
      'p',
      { style: small.length === 0 ? styles.small : styles.beforeNote },
      ...sentence(item, about),
      ...(hasWhy && item.why ? [' ', ...pieces(shortWhy(item.why, most.why))] : []),
    ),
    small.length > 0 && h('p', { className: 'muted', style: styles.afterSmall }, ...small),
    !isOver(item) && remedy(item, about.baseUrl),
  )
}

/** Distributes places among those who want some: one each in order, then another one each, until none are left. */
function allot(wanted: readonly number[], places: number): number[] {
  const given = wanted.map(() => 0)
  let left = places
  for (let round = 1; left > 0 && wanted.some((count) => count >= round); round += 1) {
    for (const [at, count] of wanted.entries()) {
      if (count < round || left === 0) continue
      given[at] = round
      left -= 1
    }
  }
  return given
}
