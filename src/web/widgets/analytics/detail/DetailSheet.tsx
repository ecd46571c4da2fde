import { useQuery } from '@tanstack/react-query'
import { BellPlus, ExternalLink } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ComparedFigures } from '../../../../contract/figures.ts'
import { writeRange } from '../../../../contract/history.ts'
import type { Period } from '../../../../contract/metrics.ts'
import { writeComparison } from '../../../../contract/range.ts'
import { type PeriodParams, keywordPagesQuery, pageKeywordsQuery } from '../../../api/analytics.ts'
import type { View } from '../../../lib/address-view.ts'
import { webAddress } from '../../../lib/addresses.ts'
import { searchConsoleReport } from '../../../../core/alerting/search-console.ts'
import { metricNames } from '../../../lib/metric.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { SidePanel } from '../../../ui/overlay/SidePanel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { LoadProblem } from '../../LoadProblem.tsx'
import { NewRuleDialog } from '../../NewRuleDialog.tsx'
import type { DataColumn, NameColumn } from '../../table/columns.ts'
import { DataTable } from '../../table/DataTable.tsx'
import { ComparedDays } from '../ComparedFigure.tsx'
import { figureColumn } from '../figure-column.tsx'
import { PeriodOf } from '../PeriodControls.tsx'
import { askingFor, periodIn } from '../period-view.ts'
import { DetailDays } from './DetailDays.tsx'
import { competition, explainedByKeywords, nouns, wholeWords } from './copy.ts'
import type { Detail, detailView } from './detail-link.ts'
import { DetailLink } from './DetailLink.tsx'
import { ruleFor } from './rule-for.ts'
import { type DetailDaysState, useDetailDays } from './use-detail-days.ts'

type DetailProps = {
  property: string
  detail: Detail
  view: View<typeof detailView>
  onShow: (change: Partial<View<typeof detailView>>) => void
}

export function DetailSheet({ open, onClose, ...props }: DetailProps & { open: boolean; onClose: () => void }) {
  const { kind, name } = props.detail
  return (
    <SidePanel open={open} onOpenChange={(next) => !next && onClose()} kind={nouns[kind].title} title={name}>
      {/* Nothing of one carries over to another's panel. */}
      <DetailBody key={`${kind} ${name}`} {...props} />
    </SidePanel>
  )
}

/** A page or query: its figures, its days, and the queries it was found by or the pages competing for it. */
function DetailBody({ property, detail, view, onShow }: DetailProps) {
  const { kind, name } = detail
  const asked = periodIn(view)
  const period = { range: writeRange(asked.range), compare: writeComparison(asked.compare) }
  const days = useDetailDays(property, detail, period)
  const [params] = useSearchParams()
  const narrowing = (['segment', 'where'] as const).filter((each) => params.get(each))
  const wasShown = days.answer === undefined || days.figures !== null
  return (
    <ComparedDays of={days.answer}>
      <DetailActions property={property} detail={detail} days={days.answer?.current ?? null} />
      <div className="mt-5 flex flex-wrap gap-2">
        <PeriodOf property={property} view={asked} onChange={(change) => onShow(askingFor(change))} />
      </div>
      {narrowing.length > 0 && <p className="mt-3 text-sm text-muted">{wholeWords(kind, narrowing)}</p>}
      <DetailDays
        property={property}
        detail={detail}
        days={days}
        grain={asked.grain}
        metric={view.chart}
        onMetric={(chart) => onShow({ chart })}
      />
      {wasShown && kind === 'page' && <PageKeywords property={property} page={name} period={period} ofPage={days} />}
      {wasShown && kind === 'keyword' && <KeywordPages property={property} query={name} period={period} ofQuery={days} />}
    </ComparedDays>
  )
}

/** The server's maximum: what is said about the rows is about all of them. */
const limit = 1_000

type KeywordPagesProps = { property: string; query: string; period: PeriodParams; ofQuery: DetailDaysState }

/** The pages shown for a query, and whether they compete for it. */
function KeywordPages({ property, query, period, ofQuery }: KeywordPagesProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(keywordPagesQuery(property, { ...period, query, limit }))
  return (
    <PairList
      title="Pages for this keyword"
      kind="page"
      property={property}
      rows={data?.map((row) => ({ ...row, name: row.page }))}
      error={error}
      isOutdated={isPlaceholderData}
      compared={ofQuery.pairsAreCompared}
      onRetry={() => void refetch()}
    >
      {data !== undefined && competition(data, limit, ofQuery.pairsCutOff)}
      {data !== undefined && data.length > 1 && ' Share is each page’s percentage of the impressions of all listed pages.'}
    </PairList>
  )
}

type PageKeywordsProps = { property: string; page: string; period: PeriodParams; ofPage: DetailDaysState }

/** The queries a page was shown for. */
function PageKeywords({ property, page, period, ofPage }: PageKeywordsProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(pageKeywordsQuery(property, { ...period, page, limit }))
  return (
    <PairList
      title="Keywords for this page"
      kind="keyword"
      property={property}
      rows={data?.map((row) => ({ ...row, name: row.query }))}
      error={error}
      isOutdated={isPlaceholderData || ofPage.isOutdated}
      compared={ofPage.pairsAreCompared}
      onRetry={() => void refetch()}
    >
      {data !== undefined && ofPage.figures !== null && explainedByKeywords(data, ofPage.figures.clicks, limit, ofPage.pairsCutOff)}
      {data !== undefined && data.length > 1 && ' Share is each keyword’s percentage of the impressions of all listed keywords.'}
    </PairList>
  )
}

/** Actions on a page or query. */
function DetailActions({ property, detail, days }: { property: string; detail: Detail; days: Period | null }) {
  const [isAsking, setAsking] = useState(false)
  const { kind, name } = detail
  const address = kind === 'page' ? webAddress(name) : null
  const rule = ruleFor(detail)
  return (
    <div className="mt-4 flex flex-wrap gap-2 *:grow sm:*:grow-0">
      <CopyButton text={name} label={kind === 'page' ? 'Copy URL' : 'Copy keyword'} />
      {address !== null && <NewTab href={address}>Open page</NewTab>}
      <NewTab href={searchConsoleReport(property, detail, days)}>View in GSC</NewTab>
      {rule !== null && (
        <>
          <Button onClick={() => setAsking(true)}>
            <BellPlus aria-hidden />
            Set up an alert
          </Button>
          <NewRuleDialog property={property} open={isAsking} onOpenChange={setAsking} initial={rule} />
        </>
      )}
    </div>
  )
}

function NewTab({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
      {children}
      <ExternalLink aria-hidden className="text-muted" />
      <span className="sr-only"> (new tab)</span>
    </a>
  )
}

/** Rows visible before somebody asks for all. */
const rowsAtFirst = 50

type PairListProps = {
  title: string
  /** The kind of rows. */
  kind: Detail['kind']
  property: string
  rows: readonly Pair[] | undefined
  error: Error | null
  isOutdated: boolean
  compared: boolean
  onRetry: () => void
  /** A summary of the rows. */
  children: ReactNode
}

/** The counterpart of a page or query: each row leads to its own panel. */
function PairList({ title, kind, property, rows, error, isOutdated, compared, onRetry, children }: PairListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="text-base font-semibold">
        {title}
      </h3>
      {error !== null ? (
        <LoadProblem what={kind === 'page' ? 'pages' : 'keywords'} property={property} error={error} onRetry={onRetry} />
      ) : rows === undefined ? (
        <Loading what={kind === 'page' ? 'pages' : 'keywords'} />
      ) : (
        <Dimmed when={isOutdated}>
          <p className="mt-1 max-w-[70ch] text-muted">{children}</p>
          {rows.length > 0 && (
            <div className="mt-3">
              <DataTable
                caption={title}
                what={kind === 'page' ? ['page', 'pages'] : ['keyword', 'keywords']}
                rows={rows}
                keyOf={keyOf}
                name={nameColumns[kind]}
                columns={compared ? comparedColumns : plainColumns}
                atFirst={rowsAtFirst}
              />
            </div>
          )}
        </Dimmed>
      )}
    </section>
  )
}

function Loading({ what }: { what: string }) {
  return (
    <div aria-busy>
      <output className="sr-only">Loading {what}</output>
      <Skeleton className="mt-1 h-10 w-4/5" />
      {['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
        <Skeleton key={row} className="mt-3 h-10 w-full" />
      ))}
    </div>
  )
}

type Pair = ComparedFigures & { share: number; name: string }

const keyOf = ({ name }: Pair): string => name

/** What is shown about a page's query, or a query's page. `compared`: with the previous values. */
const pairColumns = (compared: boolean): readonly DataColumn<Pair>[] => [
  { id: 'share', label: 'Share', width: 72, value: ({ share }) => share, cell: ({ share }) => `${(share * 100).toFixed(1)}%` },
  ...metricNames.map((metric) =>
    figureColumn<Pair>({
      metric,
      label: metric === 'position' ? 'Avg Position' : undefined,
      now: (row) => row,
      before: compared ? ({ previous }) => previous : undefined,
    }),
  ),
]
const plainColumns = pairColumns(false)
const comparedColumns = pairColumns(true)

/** The rows' subjects: each opens its own panel. */
const nameColumns: Record<Detail['kind'], NameColumn<Pair>> = {
  page: { label: 'Page', value: keyOf, cell: ({ name }) => <DetailLink kind="page" name={name} /> },
  keyword: { label: 'Keyword', value: keyOf, cell: ({ name }) => <DetailLink kind="keyword" name={name} /> },
}
