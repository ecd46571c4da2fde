import { domainOf } from '../../../core/accounts/property-name.ts'
import { changeSize, changeText, nouns } from '../../../core/alerting/copy.ts'
import { gainOf } from '../../../core/alerting/figures.ts'
import type { MessageItem } from '../message.ts'
import { propertyName, visible } from '../outbound/names.ts'
import { isOver } from '../outbound/copy.ts'
import { cutMiddle } from './cut-middle.ts'

/** A property as people call it, truncated if long. */
export const siteName = (property: string, most = 100): string => cutMiddle(propertyName(property), most)

/** A title's name keeps at least this many characters before anything else is cut. */
const leastName = 24

/**
 * An item's title with the size of the change, as hours show it if they do: `Clicks dropped 45.2% across the site`; long names lose their
 * middle.
 */
export function titleOf(item: MessageItem, most: number): string {
  const { title, entity, type, worse, previousValue } = item
  const change = worse?.now ?? item.change
  const size = isOver(item) ? null : change !== null ? changeSize(type, change) : previousValue === 0 ? 'from 0' : null
  const moved = new RegExp(`^${nouns[type]} (?:dropped|spiked|improved)\\b`)
  const line = visible(title).replace(moved, (what) => (size === null ? what : `${what}${type === 'position' ? ' by' : ''} ${size}`))
  const name = visible(entity.name)
  if (line.length <= most || name === '') return cutMiddle(line, most)
  const room = Math.max(leastName, most - (line.length - name.length))
  return cutMiddle(
    line.replace(name, () => cutMiddle(name, room)),
    most,
  )
}

/** A page's path below its property, or on its domain and `www.` of it; null for any other page. */
function pathUnder(page: string, property: string): string | null {
  if (property.endsWith('/') && page.startsWith(property)) return page.slice(property.length - 1)
  const domain = domainOf(property)
  const [, host, path] = /^https?:\/\/([^/?#]+)(\/.*)$/.exec(page) ?? []
  return domain !== null && path !== undefined && (host === domain || host === `www.${domain}`) ? path : null
}

/** Names pages by their path if their property is shown next to them. */
export function underProperty(given: MessageItem, property: string): MessageItem {
  const why = given.why?.map((part) => (typeof part === 'string' ? part : { name: pathUnder(part.name, property) ?? part.name }))
  const item = { ...given, ...(why && { why }) }
  const { entity, title, sentence, findings } = item
  const path = entity.kind === 'page' ? pathUnder(entity.name, property) : null
  if (path === null) return item
  const short = <T extends { name: string }>(named: T): T => (named.name === entity.name ? { ...named, name: path } : named)
  return {
    ...item,
    title: title.replace(entity.name, () => path),
    sentence: sentence.map((part) => (typeof part === 'string' ? part : short(part))),
    entity: short(entity),
    ...(findings && { findings: findings.map((each) => ({ ...each, entity: short(each.entity) })) }),
  }
}

type Marked = Pick<MessageItem, 'type' | 'change' | 'currentValue' | 'previousValue'>

/** A figure's direction and change: `↓ −45.2%`. For positions the arrow follows the ranking: `↓ 4.3 positions`. */
export function changeMark({ type, change, currentValue, previousValue }: Marked): string {
  if (change === null) return currentValue === null ? 'gone' : previousValue === 0 ? '↑\u00A0from\u00A00' : 'new'
  const size = changeSize(type, change)
  const gain = Number.parseFloat(size) === 0 ? 0 : gainOf(type, change)
  const arrow = gain === 0 ? '→' : gain > 0 ? '↑' : '↓'
  return `${arrow} ${type === 'position' ? size : changeText(type, change)}`.replaceAll(' ', '\u00A0')
}
