import { createElement as h, type ReactElement } from 'react'
import { addDays, daysBetween } from '../../../core/analytics/days.ts'
import { daysOf, figure, nouns } from '../../../core/alerting/words.ts'
import { dayOf } from '../../mail/figures.ts'
import type { NewsItem } from '../message.ts'
import { styles } from './look.ts'

const heightPx = 48

/**
 * Day by day as a table of bars, which needs no image; the days that were judged stand out. Positions hang from the top, as 1 is
 * the best. Null where there are too few days to see anything.
 */
export function sparkline({ type, series, current }: NewsItem): ReactElement | null {
  const most = Math.max(...series)
  if (series.length < 2 || current === null || !(most > 0)) return null
  // Days on which nothing was shown have no CTR and no position, and are not in the series: its days cannot be named then.
  const hasEveryDay = type === 'clicks' || type === 'impressions'
  const judged = hasEveryDay ? daysBetween(current.start, current.end) : 0
  const days = hasEveryDay ? daysOf({ start: addDays(current.end, 1 - series.length), end: current.end }) : `through ${dayOf(current.end)}`
  const caption = `${nouns[type]} by day, ${days}`
  const spoken = `${caption}: ${series.map((value) => figure(type, value)).join(', ')}`
  const cell = (value: number, day: number): ReactElement => {
    const isJudged = day >= series.length - judged
    const height = `${Math.max(1, Math.round((value / most) * heightPx))}px`
    return h(
      'td',
      { key: day, valign: type === 'position' ? 'top' : 'bottom' },
      h('div', { className: isJudged ? 'now' : 'before', style: { ...(isJudged ? styles.nowBar : styles.beforeBar), height } }),
    )
  }
  return h(
    'div',
    null,
    h(
      'table',
      { role: 'img', 'aria-label': spoken, width: '100%', height: heightPx, cellPadding: '0', cellSpacing: '1', style: styles.bars },
      h('tbody', null, h('tr', null, series.map(cell))),
    ),
    h('p', { className: 'muted', style: styles.note, 'data-skip-in-text': true }, caption),
  )
}
