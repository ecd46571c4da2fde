import { directionOf } from '../../../core/alerting/figures.ts'
import { daysOf, nouns } from '../../../core/alerting/copy.ts'
import type { MessageOf, MessageItem } from '../message.ts'
import { isOver } from './copy.ts'

const metrics = ['clicks', 'impressions', 'position', 'ctr'] as const

/** A whole property whose figure changed in web search, with the days it did. */
type Moved = MessageItem & { current: { start: string; end: string } }
const isMoved = (item: MessageItem): item is Moved =>
  item.entity.kind === 'site' && item.searchType === undefined && !isOver(item) && item.current !== null

/**
 * What several properties have in common: `Clicks fell on 3 of your 4 properties, 6–12 Nov`; null if nothing. Chooses the figure that moved
 * on most properties; declines before rises.
 */
export function togetherOf({ properties, monitored }: Pick<MessageOf<'alerts'>, 'properties' | 'monitored'>): string | null {
  for (const isFall of [true, false]) {
    const found = metrics.map((metric) => ({
      metric,
      moved: properties.flatMap(({ items }) => {
        const item = items.filter(isMoved).find(({ type, change }) => type === metric && directionOf(metric, change) === (isFall ? -1 : 1))
        return item ? [item] : []
      }),
    }))
    const [most] = found.toSorted((a, b) => b.moved.length - a.moved.length)
    if (most && most.moved.length > 1) {
      const verb = isFall ? 'fell' : most.metric === 'position' ? 'improved' : 'rose'
      return `${nouns[most.metric]} ${verb} on ${shareOf(most.moved.length, monitored)}, ${whenOf(most.moved)}`
    }
  }
  return null
}

/** `3 of your 4 properties`, `all 4 of your properties`. */
export function shareOf(count: number, monitored: number): string {
  if (count < monitored) return `${count} of your ${monitored} properties`
  return count === 2 ? 'both of your properties' : `all ${count} of your properties`
}

/** All days covered by any of them. */
function whenOf(moved: readonly Moved[]): string {
  const start = moved.map(({ current }) => current.start).toSorted()[0] ?? ''
  const end =
    moved
      .map(({ current }) => current.end)
      .toSorted()
      .at(-1) ?? ''
  const days = daysOf({ start, end })
  return start === end ? `on ${days.slice(days.indexOf('–') + 1)}` : days
}
