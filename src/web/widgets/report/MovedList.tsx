import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Period } from '../../../contract/metrics.ts'
import type { ReportRow } from '../../../contract/reports/periodic.ts'
import { changeColor, type ChangeColor } from '../../../core/analytics/change-color.ts'
import { formatCount } from '../../lib/format.ts'
import type { Detail } from '../analytics/detail/detail-link.ts'
import { ReportName } from './ReportName.tsx'
import { type Level, ReportSection } from './ReportSection.tsx'

type MovedListProps = {
  kind: Detail['kind']
  direction: 'rising' | 'falling'
  rows: readonly ReportRow[]
  period: Period
  /** Why movers are unknown; null if they are known. */
  notCompared: string | null
  isOwn: boolean
  level: Level
}

const nouns = { page: 'pages', keyword: 'keywords' } as const

/** The largest gains or losses in clicks since the previous period. */
export function MovedList({ kind, direction, rows, period, notCompared, isOwn, level }: MovedListProps) {
  const title = `${direction === 'rising' ? 'Rising' : 'Falling'} ${nouns[kind]}`
  return (
    <ReportSection level={level} title={title}>
      {rows.length === 0 ? (
        <p className="text-muted">{notCompared ?? `No ${nouns[kind]} ${direction === 'rising' ? 'gained' : 'lost'} clicks.`}</p>
      ) : (
        <table className="w-full table-fixed text-sm tabular-nums">
          <caption className="sr-only">{title}, by clicks</caption>
          <thead>
            <tr className="border-b border-line text-muted">
              <th scope="col" className="pb-2.5 text-left font-medium">
                {kind === 'page' ? 'Page' : 'Keyword'}
              </th>
              <th scope="col" className="w-32 pb-2.5 pl-4 text-right font-medium">
                Clicks
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className="border-b border-line align-top last:border-0">
                <th scope="row" className="py-2.5 text-left font-normal">
                  <ReportName kind={kind} name={row.name} period={period} isOwn={isOwn} />
                </th>
                <td className="py-2.5 pl-4 text-right">
                  <Moved now={row.clicks} before={row.previous?.clicks ?? 0} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ReportSection>
  )
}

const tones: Record<ChangeColor, string> = { red: 'text-critical', green: 'text-positive', gray: 'text-muted' }

/** `↑ 60` and below it `120 → 180`: for movers, the number of clicks says more than the percentage. */
function Moved({ now, before }: { now: number; before: number }) {
  const isUp = now > before
  const Arrow = isUp ? ArrowUp : ArrowDown
  const color = changeColor('clicks', isUp ? 'up' : 'down', 'outcome')
  return (
    <span className="inline-flex flex-col items-end gap-0.5">
      <span data-color={color} className={clsx('inline-flex items-center gap-1 font-semibold', tones[color])}>
        <Arrow aria-hidden className="size-3.5" strokeWidth={2.5} />
        {/* The arrow says it to those who see it. */}
        <span className="sr-only">{isUp ? '+' : '−'}</span>
        {formatCount(Math.abs(now - before))}
      </span>
      <span className="text-xs text-muted">
        {formatCount(before)} → {formatCount(now)}
      </span>
    </span>
  )
}
