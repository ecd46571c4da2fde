import { useQuery } from '@tanstack/react-query'
import { ArrowDownWideNarrow, ArrowUpNarrowWide, Globe, LayoutGrid, SearchX, Table2 } from 'lucide-react'
import { type RefObject, useMemo, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { counted } from '../../../core/words.ts'
import type { Site } from '../../../contract/portfolio.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { leftOutWords } from '../../../core/reports/together.ts'
import { sitesQuery } from '../../api/portfolio.ts'
import { listKeys } from '../../lib/hooks/shortcut-keys.ts'
import { useDrawnRows } from '../../lib/hooks/use-drawn-rows.ts'
import { isTyping, useKeydown } from '../../lib/hooks/use-keydown.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSelectProperty } from '../../shell/properties.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { Button, buttonClass, IconButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { formatPeriods } from '../../widgets/analytics/coverage/years-of-periods.ts'
import { SearchField } from '../../widgets/analytics/SearchField.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'
import type { OpenSite, SitesListProps } from './site-parts.tsx'
import { SiteRows, SitesGrid } from './SitesGrid.tsx'
import { SitesTable, TableSkeleton } from './SitesTable.tsx'
import {
  type AllSites,
  allSites,
  firstOrder,
  matching,
  type ShowSites,
  sorted,
  sortLabels,
  sitesView,
  type SitesView,
  tagsOf,
} from './sites-view.ts'

/** Room for a table, or for cards side by side. */
const roomy = '(width >= 48rem)'
/** More rows than any screen can show. */
const firstRows = 16
const noSites: readonly Site[] = []

/** All of the account's properties, how each is doing, and which need attention. */
export function SitesPage() {
  useConnectionResult()
  const list = useQuery(sitesQuery)
  const { gscProperties } = useCurrentUser()
  const sites = list.data ?? noSites
  return (
    <>
      <title>Sites · Ranklark</title>
      <Title all={useMemo(() => allSites(sites), [sites])} />
      {list.error !== null && list.data === undefined ? (
        <Card>
          <LoadFailure title="Unable to load your sites" error={list.error} onRetry={() => void list.refetch()} />
        </Card>
      ) : list.data?.length === 0 ? (
        <NoSites />
      ) : (
        <Sites sites={list.data} expected={gscProperties?.length ?? 0} />
      )}
    </>
  )
}

function Title({ all }: { all: AllSites | null }) {
  return (
    <div className="mb-5 min-w-0">
      <h1 className="text-title font-semibold">Sites</h1>
      <p className="min-h-5 text-muted">
        Each site’s last 7 complete days vs the previous 7 days
        {all !== null && `: ${formatPeriods(all.metrics.current, all.metrics.previous)}`}
      </p>
    </div>
  )
}

function NoSites() {
  const connected = useCurrentUser().accessToken !== null
  return (
    <Card>
      <EmptyState
        icon={<Globe aria-hidden />}
        title="No sites yet"
        actions={
          <Link to={connected ? paths.selectSites : paths.account} className={buttonClass('primary')}>
            {connected ? 'Choose sites' : 'Connect Google Search Console'}
          </Link>
        }
      >
        <p>
          {connected
            ? 'Your Google account has no Search Console properties that Ranklark can read. Add your site in Search Console, then choose it here.'
            : 'Connect Google Search Console to see every property you can access.'}
        </p>
      </EmptyState>
    </Card>
  )
}

/** @param expected how many there will be, if known */
function Sites({ sites, expected }: { sites: readonly Site[] | undefined; expected: number }) {
  const [view, show] = useView(sitesView)
  const now = useNow()
  const hasRoom = useMedia(roomy)
  const onOpen = useOpenSite()
  const board = useRef<HTMLDivElement>(null)
  useSiteKeys(board)
  const known = useMemo(() => tagsOf(sites ?? noSites), [sites])
  const found = useMemo(() => sorted(matching(sites ?? noSites, view), view), [sites, view])
  const all = useMemo(() => allSites(found), [found])
  const { drawn, isWhole } = useDrawnRows(found, firstRows)
  const isAll = found.length === sites?.length
  const look: SitesListProps = {
    sites: drawn,
    isWhole,
    all: found.length > 1 ? all : null,
    allLabel: isAll ? 'All sites' : 'These sites',
    known,
    now,
    view,
    show,
    onOpen,
    onChooseTag: (tag) => show({ tag }),
  }
  const List = !hasRoom ? SiteRows : view.view === 'grid' ? SitesGrid : SitesTable
  return (
    <>
      <SitesBar view={view} show={show} known={known} isTable={hasRoom && view.view === 'table'} hasRoom={hasRoom} />
      <output className="mt-4 block mb-2 min-h-5 text-sm text-muted tabular-nums">
        {sites !== undefined && (isAll ? counted(found.length, 'site') : `${found.length} of ${counted(sites.length, 'site')}`)}
      </output>
      <div ref={board} className="min-h-160">
        {sites === undefined ? (
          <output aria-label="Loading sites" aria-busy className="block">
            <TableSkeleton rows={Math.min(Math.max(expected, 3), firstRows)} />
          </output>
        ) : found.length === 0 ? (
          <Card>
            <EmptyState
              icon={<SearchX aria-hidden />}
              title="No matching sites"
              actions={<Button onClick={() => show({ search: '', tag: '' })}>Clear filters</Button>}
            >
              <p className="wrap-anywhere">No site matches {filterWords(view)}.</p>
            </EmptyState>
          </Card>
        ) : (
          <>
            <List {...look} />
            {look.all !== null && <Footnotes all={look.all} label={look.allLabel} />}
          </>
        )}
      </div>
    </>
  )
}

const filterWords = ({ search, tag }: SitesView): string =>
  [search.trim() && `“${search.trim()}”`, tag && `the tag “${tag}”`].filter(Boolean).join(' and ')

/** Sites left out of the sum, and why. */
function Footnotes({ all: { metrics, older, ...leftOut }, label }: { all: AllSites; label: string }) {
  const notes = [
    leftOutWords(leftOut, propertyName),
    older.length > 0 && `Not included because their data ends earlier: ${older.map(propertyName).join(', ')}.`,
    metrics.clicksPrevious === null && 'No comparison: some sites have no data for the previous 7 days.',
  ].filter((note) => typeof note === 'string')
  if (notes.length === 0) return null
  return (
    <div className="mt-3 max-w-[100ch] text-sm wrap-anywhere text-muted">
      <p className="font-medium">{label}</p>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}

type SitesBarProps = { view: SitesView; show: ShowSites; known: readonly string[]; isTable: boolean; hasRoom: boolean }

function SitesBar({ view, show, known, isTable, hasRoom }: SitesBarProps) {
  const Order = view.order === 'asc' ? ArrowUpNarrowWide : ArrowDownWideNarrow
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 grow basis-44 max-md:basis-full">
        <SearchField
          label="Search sites"
          placeholder="URL or tag"
          value={view.search}
          onChange={(search) => show({ search }, { replace: true })}
        />
      </div>
      <div className="w-36 max-md:w-auto max-md:grow max-md:basis-30">
        <Select
          label="Tag"
          placeholder=""
          value={view.tag === '' ? everyTag : view.tag}
          disabled={known.length === 0 && view.tag === ''}
          choices={[{ value: everyTag, label: 'All tags' }, ...withChosen(known, view.tag).map((tag) => ({ value: tag, label: tag }))]}
          onChange={(tag) => show({ tag: tag === everyTag ? '' : tag })}
        />
      </div>
      {!isTable && (
        <div className="flex items-end gap-1 max-md:grow max-md:basis-48">
          <div className="w-40 max-md:w-auto max-md:grow">
            <Select
              label="Sort by"
              placeholder=""
              value={view.sort}
              choices={sitesView.sort.map((value) => ({ value, label: sortLabels[value] }))}
              onChange={(chosen) => {
                const sort = sitesView.sort.find((each) => each === chosen) ?? 'clicks'
                show({ sort, order: firstOrder(sort) })
              }}
            />
          </div>
          <IconButton
            aria-label={view.order === 'asc' ? 'Ascending. Sort descending' : 'Descending. Sort ascending'}
            onClick={() => show({ order: view.order === 'asc' ? 'desc' : 'asc' })}
          >
            <Order aria-hidden />
          </IconButton>
        </div>
      )}
      {hasRoom && (
        <Segments
          label="View"
          choices={[
            { value: 'table', label: 'Table', Icon: Table2 },
            { value: 'grid', label: 'Grid', Icon: LayoutGrid },
          ]}
          value={view.view}
          onChange={(chosen) => show({ view: chosen })}
        />
      )}
    </div>
  )
}

/** Can't be a real tag: it begins with a space. */
const everyTag = ' all'

/** A tag in the URL that no site has anymore can still be deselected. */
const withChosen = (known: readonly string[], tag: string): readonly string[] =>
  tag === '' || known.includes(tag) ? known : [...known, tag]

/** Selects a site and opens its dashboard. */
function useOpenSite(): OpenSite {
  const { selectedProperty } = useCurrentUser()
  const select = useSelectProperty()
  const navigate = useNavigate()
  return (name) => {
    if (name === selectedProperty) void navigate(paths.dashboard)
    else if (!select.isPending) select.mutate(name, { onSuccess: () => void navigate(paths.dashboard) })
  }
}

/** `j` and `k` move the focus between names, which Enter then opens. */
function useSiteKeys(board: RefObject<HTMLElement | null>): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
    const step = event.key === listKeys.next ? 1 : event.key === listKeys.previous ? -1 : 0
    if (step === 0) return
    const names = [...(board.current?.querySelectorAll<HTMLElement>('[data-site-link]') ?? [])]
    const at = names.findIndex((name) => name.closest('[data-site]')?.contains(document.activeElement))
    names[Math.min(Math.max(at + step, 0), names.length - 1)]?.focus()
  })
}
