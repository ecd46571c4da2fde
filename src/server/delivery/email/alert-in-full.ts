import { type ReactElement, type ReactNode, createElement as h } from 'react'
import { alertSeriesDays } from '../../../contract/alerts/alerts.ts'
import { coincidenceSentence } from '../../../core/alerting/coincidences.ts'
import { comparedHours, comparedOf, daysOf, figure, nouns } from '../../../core/alerting/copy.ts'
import { addDays, daysBetween } from '../../../core/analytics/days.ts'
import { dayOf } from '../../mail/figures.ts'
import type { MessageItem } from '../message.ts'
import { otherFindings, foundByRules } from '../outbound/other-findings.ts'
import { isOver } from '../outbound/copy.ts'
import { actionLink, reportLink } from '../outbound/links.ts'
import { changeMark } from './copy.ts'
import { cutMiddle } from './cut-middle.ts'
import { styles } from './look.ts'
import { type About, badge, begun, link, name, pieces, sentence, titleLine, verdictLine } from './pieces.ts'

const heightPx = 48

/**
 * The days as a table of bars, which needs no image; evaluated days stand out. Positions hang from the top, as 1 is the best. Null with too
 * few days to see anything.
 */
function sparkline({ type, series, current }: MessageItem): ReactElement | null {
  const most = Math.max(...series)
  if (series.length < 2 || current === null || !(most > 0)) return null
  // Days without a figure are missing from the series, so its days can't be named then.
  const hasEveryDay = series.length === alertSeriesDays
  const evaluated = hasEveryDay ? daysBetween(current.start, current.end) : 0
  const days = hasEveryDay ? daysOf({ start: addDays(current.end, 1 - series.length), end: current.end }) : `through ${dayOf(current.end)}`
  const caption = `${nouns[type]} by day, ${days}`
  const spoken = `${caption}: ${series.map((value) => figure(type, value)).join(', ')}`
  const cell = (value: number, day: number): ReactElement => {
    const isEvaluated = day >= series.length - evaluated
    const height = `${Math.max(1, Math.round((value / most) * heightPx))}px`
    return h(
      'td',
      { key: day, valign: type === 'position' ? 'top' : 'bottom' },
      h('div', { className: isEvaluated ? 'now' : 'before', style: { ...(isEvaluated ? styles.nowBar : styles.beforeBar), height } }),
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
    h(
      'p',
      { className: 'muted', style: styles.note, 'data-skip-in-text': true },
      caption,
      evaluated > 0 && evaluated < series.length && `; ${daysOf(current)} in blue`,
    ),
  )
}

/** Contributors shown for the only alert in an email, and for the first of several. */
const mostContributors = { only: 5, first: 3 }
const mostNameOfFirst = 40
const mostContributorName = 70

type Place = Pick<About, 'baseUrl' | 'timeZone' | 'verdictPage'> & {
  /** Set if the email is about this alert alone: the headline is its title then, which leaves the property to name. */
  site: string | null
}

/** One alert with its figures, its days and its explanation. */
export function alertInFull(item: MessageItem, { baseUrl, timeZone, verdictPage, site }: Place): ReactElement {
  const over = isOver(item)
  const title = site === null ? titleLine(item, reportLink(baseUrl, item.alertId)) : over ? [site] : [badge(item), ' ', site]
  return h(
    'div',
    { key: `${item.alertId} ${item.event}` },
    h(site === null ? 'h2' : 'p', { style: site === null ? styles.title : styles.small }, ...title),
    h('p', { style: styles.sentence }, ...sentence(item, { timeZone })),
    // One that is over has other figures by now.
    ...(over
      ? []
      : [
          whyOf(item),
          // Its sentence has the same figures: among several alerts there isn't room for both.
          site === null ? since(item, timeZone) : figuresOf(item, timeZone),
          sparkline(item),
          contributorsOf(item, site === null ? mostContributors.first : mostContributors.only),
          findingsOf(item),
          rulesOf(item),
          coincidencesWith(item),
          remedy(item, baseUrl),
        ]),
    verdictLine(item, { verdictPage }),
  )
}

/** The main cause of the change. */
const whyOf = ({ why }: MessageItem): ReactNode => why && h('p', { key: 'why', style: styles.sentence }, ...pieces(why))

function coincidencesWith({ coincidences = [] }: MessageItem): ReactNode {
  const said = coincidenceSentence(coincidences)
  return said && h('p', { key: 'coincidences', className: 'muted', style: styles.note }, ...pieces(said))
}

function since(item: MessageItem, timeZone: string): ReactNode {
  const opened = `${begun(item) === null ? 'Open since' : 'Alert opened'} ${dayOf(item.openedAt, timeZone)}.`
  return h('p', { key: 'since', className: 'muted', style: styles.note }, [begun(item), opened].filter((part) => part !== null).join(' '))
}

function figuresOf(item: MessageItem, timeZone: string): ReactNode {
  const { type, currentValue, previousValue, current, previous, entity, hours, unusual } = item
  if (entity.kind === 'connection' || (currentValue === null && previousValue === null)) return since(item, timeZone)
  const otherYear = current !== null && previous !== null && current.end.slice(0, 4) !== previous.start.slice(0, 4)
  const days = (span: MessageItem['current']) => (span === null ? '' : daysOf(span, otherYear))
  const byHours = comparedHours(hours, current)
  const now = current !== null && unusual?.days !== undefined ? `${comparedOf(unusual.days, current)} ${days(current)}` : days(current)
  // Longer periods are compared by their weekly average.
  const isShare =
    current !== null && previous !== null && daysBetween(previous.start, previous.end) > daysBetween(current.start, current.end)
  const table = figuresTable(
    ['', nouns[type], 'Days'],
    [
      unusual
        ? { name: 'Expected', figures: [figure(type, previousValue), now] }
        : {
            name: byHours ? 'Usual' : 'Previous',
            figures: [figure(type, previousValue), byHours?.usual ?? (isShare ? `weekly average, ${days(previous)}` : days(previous))],
          },
      {
        name: hours?.status === 'preliminary' ? 'So far' : 'Current',
        figures: [figure(type, currentValue), byHours?.now ?? now],
      },
      { name: 'Change', figures: [changeMark(item), ''] },
    ],
  )
  return [h('div', { key: 'figures' }, table), since(item, timeZone)]
}

function contributorsOf({ type, contributors }: MessageItem, most: number): ReactNode {
  if (contributors.length === 0) return null
  const shown = contributors.slice(0, most)
  const host = commonHost(shown.map((each) => each.name))
  const rows = shown.map((each) => ({
    name: name(each.name.slice(host.length), most === mostContributors.only ? mostContributorName : mostNameOfFirst),
    figures: [figure(type, each.previousValue), figure(type, each.currentValue), changeMark({ type, ...each })],
  }))
  const head = [beforeDots(cutMiddle(host.replace(/^https?:\/\//, ''), mostContributorName)), 'Previous', 'Current', 'Change']
  return h('div', null, h('h3', { style: styles.heading }, `${nouns[type]}: top contributors`), figuresTable(head, rows))
}

/** A host that wraps before a dot, rather than in the middle of a word. */
const beforeDots = (host: string): ReactNode =>
  host.split(/(?=\.)/).flatMap((part, at) => (at === 0 ? [part] : [h('wbr', { key: at }), part]))

/** Several rules may find the same. */
function rulesOf(item: MessageItem): ReactNode {
  const rules = foundByRules(item)
  return rules && h('p', { key: 'rules', className: 'muted', style: styles.note }, rules)
}

/** Other findings with the same cause, all covered by one alert. */
function findingsOf(item: MessageItem): ReactNode {
  const also = otherFindings(item)
  return also && h('p', { key: 'also', className: 'muted', style: styles.note }, also)
}

/** The common prefix of all pages up to their path: showing it once leaves room for the differences. Empty otherwise. */
function commonHost(names: readonly string[]): string {
  const host = /^https?:\/\/[^\s/?#]+(?=\/)/.exec(names[0] ?? '')?.[0] ?? ''
  return names.every((each) => each.startsWith(`${host}/`)) ? host : ''
}

/** How to fix it: a link to one of our pages or to the web, nowhere else. */
export function remedy({ action }: MessageItem, baseUrl: string): ReactNode {
  const mends = actionLink(baseUrl, action)
  if (mends === null || !(mends.url.startsWith(`${baseUrl}/`) || mends.url.startsWith('https://'))) return null
  return h('p', { style: styles.sentence }, 'What to do: ', link(mends.label, new URL(mends.url).href))
}

type Row = { name: ReactNode; figures: readonly string[] }

/**
 * Figures to the right of their names. Cells carry almost no markup, since a digest has hundreds: the style sheet has the rest, without
 * which this is a plain table.
 * @param head of the names' column, which may be empty, and of each column of figures
 */
function figuresTable([corner, ...heads]: readonly ReactNode[], rows: readonly Row[]): ReactElement {
  return h(
    'table',
    { className: 'figures', width: '100%', cellPadding: '4', cellSpacing: '0', style: styles.figures },
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        h('th', { scope: 'col', align: 'left', className: 'first' }, corner),
        heads.map((head, column) => h('th', { key: column, scope: 'col', align: 'right' }, head)),
      ),
    ),
    h(
      'tbody',
      null,
      rows.map(({ name: rowName, figures: cells }, row) =>
        h(
          'tr',
          { key: row },
          h('td', { className: 'first' }, rowName),
          cells.map((cell, column) => h('td', { key: column, align: 'right' }, cell)),
        ),
      ),
    ),
  )
}
