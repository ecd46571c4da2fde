import type { ReactNode } from 'react'
import type { RowFigures } from '../../../contract/figures.ts'
import type { CompetingKeyword } from '../../../contract/keywords.ts'
import { csvLine } from '../../../core/csv.ts'
import { counted } from '../../../core/words.ts'
import { formatCount, formatShare } from '../../lib/format.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import type { MoreRows } from '../../lib/hooks/paged-list.ts'
import { knownFigure, metricLabels, type MetricName } from '../../lib/metric.ts'
import { Button } from '../../ui/Button.tsx'
import { ShareBar } from '../../ui/ShareBar.tsx'
import { ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { figureColumn } from '../../widgets/analytics/figure-column.tsx'
import { isCompared } from '../../widgets/analytics/coverage/is-compared.ts'
import { type CellValue, columnName, type DataColumn } from '../../widgets/table/columns.ts'
import { Columns, tableLook } from '../../widgets/table/parts.tsx'
import { TableHead } from '../../widgets/table/TableHead.tsx'
import { TableTools, useColumns } from '../../widgets/table/TableTools.tsx'
import { useCopiedRows } from '../../widgets/table/use-copied-rows.ts'
import { asTableSort, columnsOf, competingSorts, type Sorted, sortedBy } from './keyword-views.ts'
import { BrandedKeyword } from './KeywordCells.tsx'
import { figuresBefore, type KeywordSummary } from './use-keyword-summary.ts'

type CompetingPage = CompetingKeyword['pages'][number]
type CompetingSort = Sorted<(typeof competingSorts)[number]>

type CompetingProps = {
  rows: readonly CompetingKeyword[]
  more: MoreRows<CompetingKeyword>
  summary: KeywordSummary['summary']
  sorted: CompetingSort
  onSort: (sorted: CompetingSort) => void
}

/** Room for a table. */
const roomy = '(width >= 48rem)'
const caption = 'Keywords with competing pages'

/** Keywords with their figures, compared, and their pages below each. */
export function CompetingRows({ rows, more, summary, sorted, onSort }: CompetingProps) {
  const isTable = useMedia(roomy)
  const columns = isCompared(summary, 'query') ? comparedColumns : summary === undefined ? roomyColumns : plainColumns
  const chosen = useColumns(caption, columns)
  const visible = columns.filter(({ id }) => chosen.shown[id])
  const copying = useCopiedRows({ rows, more, csvOf: (copied) => csvOf(copied, visible) })
  return (
    <>
      <TableTools columns={columns} chosen={chosen} copying={copying} isTable={isTable}>
        {`${more.hasMore ? 'First ' : ''}${counted(rows.length, 'keyword')}`}
      </TableTools>
      {isTable ? (
        <CompetingTable rows={rows} columns={visible} sorted={sorted} onSort={onSort} />
      ) : (
        <CompetingList rows={rows} summary={summary} />
      )}
      <MoreButton {...more} />
    </>
  )
}

/** A column of keywords that their pages have too. */
type CompetingColumn = DataColumn<CompetingKeyword> & {
  ofPage: (page: CompetingPage) => ReactNode
  /** In a spreadsheet. */
  copied: readonly { label: string; row: (row: CompetingKeyword) => CellValue; page: (page: CompetingPage) => CellValue }[]
}

const none = () => null

/** What is at stake for a keyword, and each page's share. */
const shareColumn: CompetingColumn = {
  id: 'atStake',
  label: 'Share of impressions',
  width: 176,
  narrow: 128,
  align: 'left',
  value: ({ atStake }) => atStake,
  cell: ({ atStake }) => <span className="text-muted">{formatCount(atStake)} at stake</span>,
  ofPage: (page) => <Share share={page.share} />,
  copied: [
    { label: 'Impressions at stake', row: ({ atStake }) => atStake, page: none },
    { label: 'Share of impressions', row: none, page: (page) => page.share },
  ],
}

/** `room`: for a comparison that isn't known yet. */
function columnsWith(compared: boolean | 'room'): readonly CompetingColumn[] {
  const figure = (metric: MetricName): CompetingColumn => {
    const column = figureColumn<CompetingKeyword>({
      metric,
      now: (row) => row,
      before: compared === true ? ({ previous }) => previous : undefined,
      keepsRoom: compared !== false,
    })
    const known = (of: RowFigures) => knownFigure(metric, of)
    return {
      ...column,
      ofPage: (page) => <ComparedFigure metric={metric} now={known(page)} before={undefined} />,
      copied: [{ label: columnName(column), row: known, page: known }],
    }
  }
  return [shareColumn, figure('impressions'), figure('clicks'), figure('ctr'), figure('position')]
}
const plainColumns = columnsWith(false)
const roomyColumns = columnsWith('room')
const comparedColumns = columnsWith(true)

/** One line for each keyword, followed by one for each of its pages. */
function csvOf(rows: readonly CompetingKeyword[], columns: readonly CompetingColumn[]): string {
  const cells = columns.flatMap(({ copied }) => copied)
  const header = ['Keyword', 'Page', ...cells.map(({ label }) => label)]
  const lines = rows.flatMap((row) => [
    [row.query, null, ...cells.map((cell) => cell.row(row))],
    ...row.pages.map((page) => [row.query, page.page, ...cells.map((cell) => cell.page(page))]),
  ])
  return [header, ...lines].map(csvLine).join('')
}

const name = {
  label: 'Keyword and its pages',
  value: ({ query }: CompetingKeyword) => query,
  cell: (row: CompetingKeyword) => <BrandedKeyword {...row} />,
}
const sortable = columnsOf(competingSorts)

type CompetingTableProps = Pick<CompetingProps, 'rows' | 'sorted' | 'onSort'> & { columns: readonly CompetingColumn[] }

function CompetingTable({ rows, columns, sorted, onSort }: CompetingTableProps) {
  return (
    <section
      // It scrolls by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={`${caption}, scrollable`}
      className="@container/table relative max-h-[calc(100dvh-9rem)] overflow-auto overscroll-x-contain"
    >
      <table {...tableLook(columns)}>
        <caption className="sr-only">{caption}</caption>
        <Columns columns={columns} />
        <TableHead
          name={name}
          columns={columns}
          sort={asTableSort(sorted)}
          sortable={sortable}
          onSort={(chosen) => {
            const found = sortedBy(competingSorts, chosen)
            if (found !== null) onSort(found)
          }}
        />
        {rows.map((row) => (
          <tbody key={row.query} className="last:*:last:*:border-0">
            <tr className="align-top">
              <th scope="rowgroup" className="sticky left-0 z-1 bg-surface pt-3 pr-4 pb-1 text-left font-normal">
                {name.cell(row)}
              </th>
              {columns.map(({ id, align, cell }) => (
                <td key={id} className={`pt-3 pb-1 pl-4 font-medium ${alignOf(align)}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
            {row.pages.map((page) => (
              <tr key={page.page} className="text-muted last:*:border-b last:*:border-line last:*:pb-3">
                <th scope="row" className="sticky left-0 z-1 bg-surface py-1 pr-4 text-left font-normal">
                  <DetailLink kind="page" name={page.page} quiet />
                </th>
                {columns.map(({ id, align, ofPage }) => (
                  <td key={id} className={`py-1 pl-4 ${alignOf(align)}`}>
                    {ofPage(page)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

const alignOf = (align: CompetingColumn['align']): string => (align === 'left' ? 'text-left' : 'text-right')

/** The keyword with what is at stake, and a line for each of its pages. */
function CompetingList({ rows, summary }: Pick<CompetingProps, 'rows' | 'summary'>) {
  return (
    <ul aria-label={caption} className="divide-y divide-line text-sm tabular-nums">
      {rows.map((row) => (
        <li key={row.query} data-compact className="py-2.5">
          <BrandedKeyword {...row} />
          <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs">
            <div className="flex items-baseline gap-x-1.5">
              <dt className="text-muted">At stake</dt>
              <dd>{formatCount(row.atStake)}</dd>
            </div>
            {(['impressions', 'clicks'] as const).map((metric) => {
              const before = figuresBefore(row, summary)
              return (
                <div key={metric} className="flex items-baseline gap-x-1.5">
                  <dt className="text-muted">{metricLabels[metric]}</dt>
                  <dd>
                    <ComparedFigure metric={metric} now={row[metric]} before={before} />
                  </dd>
                </div>
              )
            })}
          </dl>
          <ul aria-label={`Pages for ${row.query}`} className="mt-1.5 border-l-2 border-line pl-3">
            {row.pages.map((page) => (
              <li key={page.page} className="flex min-h-11 items-center justify-between gap-3">
                <span className="min-w-0">
                  <DetailLink kind="page" name={page.page} quiet />
                </span>
                <span className="w-24 shrink-0">
                  <Share share={page.share} />
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function Share({ share }: { share: number }) {
  return (
    <span className="flex items-center gap-2.5">
      <ShareBar share={share} className="flex-1" />
      <span className="w-9 shrink-0 text-right">
        {formatShare(share)}
        <span className="sr-only"> of impressions</span>
      </span>
    </span>
  )
}

function MoreButton({ hasMore, isOutdated, load, failed }: MoreRows<CompetingKeyword>) {
  if (!hasMore || isOutdated) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button onClick={load}>Show more keywords</Button>
      {failed && (
        <p role="alert" className="text-sm text-muted">
          Unable to load more keywords. Please try again.
        </p>
      )}
    </div>
  )
}
