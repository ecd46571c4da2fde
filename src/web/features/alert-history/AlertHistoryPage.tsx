import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Download, SearchX } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { severityLabels } from '../../../core/alerting/copy.ts'
import { type AlertsFilter, alertsCountQuery, alertsQuery, exportAddress } from '../../api/alerts.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AlertsProblem } from '../../widgets/LoadProblem.tsx'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import { useCsvExport } from '../../widgets/use-csv-export.ts'
import { HistoryLoading, HistoryRows } from './HistoryRows.tsx'
import { Pager } from './Pager.tsx'
import {
  type HistorySearch,
  type SeverityChoice,
  pagesOf,
  readHistorySearch,
  severityChoices,
  writeHistorySearch,
} from './history-search.ts'
import { sampleAlerts } from './sample-alerts.ts'

export function AlertHistoryPage() {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Alert history · Ranklark</title>
      {selectedProperty === null ? <WithoutProperty /> : <History property={selectedProperty} />}
    </>
  )
}

/** Requests nothing from the server: there are only the examples. */
function WithoutProperty() {
  const [params, changeAddress] = useAddress()
  const search = readHistorySearch(params)
  return (
    <>
      <div className="mb-5">
        <PropertyTitle title="Alert History" property={null} />
      </div>
      <Frame search={search} onFilter={(severity) => changeAddress(() => writeHistorySearch({ ...search, severity }))}>
        <Samples severity={search.severity}>
          No property is selected. These sample rows show what you'll see here.{' '}
          <Link to={paths.selectSites} className="font-medium text-brand hover:underline">
            Select a property
          </Link>
        </Samples>
      </Frame>
    </>
  )
}

type FrameProps = { search: HistorySearch; onFilter: (severity: SeverityChoice) => void; children: ReactNode }

function Frame({ search, onFilter, children }: FrameProps) {
  return (
    <section aria-label="Alerts" className="rounded-card border border-line bg-surface">
      <div className="border-b border-line p-3 sm:px-6">
        <SeverityFilter value={search.severity} onChange={onFilter} />
      </div>
      {children}
    </section>
  )
}

function History({ property }: { property: string }) {
  const [params, changeAddress] = useAddress()
  const search = readHistorySearch(params)
  const filter = search.severity === 'all' ? {} : { severity: search.severity }
  const count = useQuery(alertsCountQuery(property, filter))
  // A count for another filter says nothing about this one's pages.
  const total = count.isPlaceholderData ? undefined : count.data
  const page = total === undefined ? search.page : Math.min(search.page, pagesOf(total, search.size))
  const list = useQuery(alertsQuery(property, { ...filter, limit: search.size, offset: (page - 1) * search.size }))
  // Checks whether there are none of any severity.
  const all = useQuery({ ...alertsCountQuery(property), enabled: list.data?.length === 0 })
  const error = list.error ?? count.error ?? all.error
  // It is known to be empty only once exactly this was requested.
  const isOnItsWay =
    list.data?.length === 0 && (list.isPlaceholderData || total === undefined || all.data === undefined || all.isPlaceholderData)

  const show = (change: Partial<HistorySearch>, keepPlace: boolean): void =>
    changeAddress(() => writeHistorySearch({ ...search, page, ...change }), { keepsPlace: keepPlace })
  const again = (): void => {
    void count.refetch()
    void list.refetch()
    if (all.isError) void all.refetch()
  }

  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <PropertyTitle title="Alert History" property={property} />
        {/* Its place is kept until there is something to export. */}
        <div className={clsx(!count.data && 'invisible')}>
          <ExportButton property={property} filter={filter} />
        </div>
      </div>
      <Frame search={search} onFilter={(severity) => show({ severity, page: 1 }, true)}>
        {error !== null ? (
          <AlertsProblem property={property} error={error} onRetry={again} />
        ) : list.data === undefined || count.data === undefined || isOnItsWay ? (
          <HistoryLoading />
        ) : (
          <div
            aria-busy={list.isPlaceholderData}
            className={clsx('transition-opacity duration-150', list.isPlaceholderData && 'opacity-50')}
          >
            {list.data.length > 0 ? (
              <HistoryRows alerts={list.data} />
            ) : all.data === 0 ? (
              <Samples severity={search.severity}>
                No alerts for {propertyName(property)} yet. These sample rows show what you'll see here.{' '}
                <Link to={paths.alertSettings} className="font-medium text-brand hover:underline">
                  Set up alerts
                </Link>
              </Samples>
            ) : (
              <NothingMatches property={property} severity={search.severity} onClear={() => show({ severity: 'all', page: 1 }, true)} />
            )}
          </div>
        )}
        {error === null && list.data !== undefined && list.data.length > 0 && count.data !== undefined && (
          <Pager page={page} size={search.size} total={count.data} onChange={(change) => show(change, false)} />
        )}
      </Frame>
    </>
  )
}

/** Replaces an empty history: what it will look like (SPEC §2, OPEN-POINTS 7). */
function Samples({ severity, children }: { severity: SeverityChoice; children: ReactNode }) {
  const now = useNow()
  const samples = sampleAlerts(now)
  return (
    <>
      <p className="border-b border-line bg-sunken px-4 py-3 wrap-anywhere sm:px-6">{children}</p>
      <HistoryRows alerts={severity === 'all' ? samples : samples.filter((sample) => sample.severity === severity)} sample />
    </>
  )
}

type NothingMatchesProps = { property: string; severity: string; onClear: () => void }

function NothingMatches({ property, severity, onClear }: NothingMatchesProps) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={`No ${severity} alerts`}
      actions={<Button onClick={onClear}>Show all severities</Button>}
    >
      <p className="wrap-anywhere">{propertyName(property)} hasn't had any yet.</p>
    </EmptyState>
  )
}

/** Exports everything that passes the filter, not just the page on screen (OPEN-POINTS 10). */
function ExportButton({ property, filter }: { property: string; filter: AlertsFilter }) {
  const { mutate, isPending } = useCsvExport(property)
  return (
    <Button disabled={isPending} onClick={() => mutate({ address: exportAddress(property, filter), what: 'The alerts' })}>
      <Download aria-hidden />
      {isPending ? 'Exporting...' : 'Export CSV'}
    </Button>
  )
}

const labels: Record<SeverityChoice, string> = { ...severityLabels, all: 'All' }

type SeverityFilterProps = { value: SeverityChoice; onChange: (value: SeverityChoice) => void }

function SeverityFilter({ value, onChange }: SeverityFilterProps) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Severity</legend>
      {severityChoices.map((choice) => (
        <label
          key={choice}
          className="control inline-flex cursor-pointer items-center rounded-control px-3 font-medium text-muted transition-colors duration-150 hover:bg-sunken has-checked:bg-brand-soft has-checked:text-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
        >
          <input type="radio" name={name} className="sr-only" checked={choice === value} onChange={() => onChange(choice)} />
          {labels[choice]}
        </label>
      ))}
    </fieldset>
  )
}
