import { clsx } from 'clsx'
import { Link } from 'react-router'
import type { Site } from '../../../contract/portfolio.ts'
import { isScreen } from '../../../contract/screens.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import { TrendLine } from '../../charts/TrendLine.tsx'
import { describeChange } from '../../lib/alert/describe-change.ts'
import { useColorBy } from '../../lib/color-by.ts'
import { formatDay, formatDayBy, formatPeriod } from '../../lib/dates.ts'
import { formatPeriods } from '../../widgets/analytics/coverage/years-of-periods.ts'
import { formatCount, formatMetric } from '../../lib/format.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { SeverityBadge } from '../../ui/alert/AlertBadges.tsx'
import { ChangeMark } from '../../ui/ChangeMark.tsx'
import { PropertyName } from '../../widgets/PropertyName.tsx'
import { type AllSites, changeIn, type Compared, type ComparedMetric, type ShowSites, type SitesView } from './sites-view.ts'
import type { SiteStatus } from './site-status.ts'

/** Opens a site's dashboard, and starts monitoring it if necessary. */
export type OpenSite = (name: string) => void

/** The input of each list layout. */
export type SitesListProps = {
  /** In order; not all of them until `isWhole`. */
  sites: readonly Site[]
  isWhole: boolean
  all: AllSites | null
  allLabel: string
  /** All existing tags. */
  known: readonly string[]
  now: Date
  view: SitesView
  show: ShowSites
  onOpen: OpenSite
  onChooseTag: (tag: string) => void
}

/** A site's first letter, instead of fetching its icon. */
export function SiteMark({ name, className }: { name: string; className?: string }) {
  const host = propertyName(name).replace(/^https?:\/\/(www\.)?/i, '')
  return (
    <span
      aria-hidden
      className={clsx('grid size-8 shrink-0 place-items-center rounded-md bg-brand-soft font-semibold text-brand uppercase', className)}
    >
      {[...host][0] ?? '?'}
    </span>
  )
}

/** A site's name; links to its dashboard if there is one. */
export function SiteName({ site, onOpen, className }: { site: Site; onOpen: OpenSite; className?: string }) {
  const { selectedProperty } = useCurrentUser()
  if (!site.monitored) {
    return (
      <span className={clsx('min-w-0 text-muted', className)}>
        <PropertyName name={site.name} />
      </span>
    )
  }
  return (
    <button
      type="button"
      data-site-link
      aria-current={site.name === selectedProperty ? 'true' : undefined}
      className={clsx('min-w-0 rounded-sm text-left font-medium hover:underline', className)}
      onClick={() => onOpen(site.name)}
    >
      <PropertyName name={site.name} />
    </button>
  )
}

export function SiteClicks({ site: { metrics }, className }: { site: Site; className?: string }) {
  const points = metrics?.dates.map((date, index) => ({ date, value: metrics.clicksData[index] ?? 0 })) ?? []
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return <div className={clsx('h-7', className)} />
  const values = points.map(({ value }) => value)
  const from = formatCount(Math.min(...values))
  const to = formatCount(Math.max(...values))
  const label = `Clicks by day, ${formatPeriod({ start: first.date, end: last.date })}: ${from} to ${to}`
  return <TrendLine label={label} points={points} {...(className !== undefined && { className })} />
}

export const Figure = ({ metrics, metric }: { metrics: Compared | null; metric: ComparedMetric }) => (
  <span className="tabular-nums">{metrics === null ? <None /> : formatMetric(metric, metrics[metric])}</span>
)

/** A figure's change; hover shows what it is based on. */
export function Change({ metrics, metric }: { metrics: Compared | null; metric: ComparedMetric }) {
  const by = useColorBy()
  const change = changeIn(metrics, metric)
  if (metrics === null) return null
  if (change === null) return <None why={whyNone(metrics, metric)} />
  const before = metrics[`${metric}Previous`] ?? 0
  const periods = formatPeriods(metrics.current, metrics.previous)
  return (
    <span title={`${formatMetric(metric, before)} → ${formatMetric(metric, metrics[metric])}, ${periods}`}>
      <ChangeMark change={describeChange(metric, change, by, false)} />
    </span>
  )
}

const whyNone = ({ current, previous, clicksPrevious }: Compared, metric: ComparedMetric): string =>
  whyIncomparable(metric, current, previous) ?? (clicksPrevious === null ? 'Not enough days to compare' : 'Nothing to compare with')

const None = ({ why }: { why?: string }) => (
  <span className="text-muted" title={why}>
    –
  </span>
)

/** The number of open alerts, colored by the worst of them. */
export function OpenAlertCount({ alerts }: Pick<Site, 'alerts'>) {
  if (alerts === null) return <None />
  return (
    <span className="inline-flex items-center gap-1.5">
      <SeverityBadge severity={alerts.worst} />
      <span className="tabular-nums">
        {formatCount(alerts.open)}
        <span className="sr-only"> open {alerts.open === 1 ? 'alert' : 'alerts'}</span>
      </span>
    </span>
  )
}

type FreshnessProps = { site: Site; status: SiteStatus; now: Date; inWords?: boolean }

/** The last complete day; nothing if there is none and the reason is shown. `inWords`: without a column header that says what it is. */
export function Freshness({ site: { sync }, status, now, inWords = false }: FreshnessProps) {
  const day = sync.completeThrough
  if (day === null) return status.words === null && <span className="text-muted">No data yet</span>
  return (
    <span className="text-muted tabular-nums" title={`Complete through ${formatDay(day, true)}`}>
      <span className={clsx(!inWords && 'sr-only')}>Complete through </span>
      {formatDayBy(day, now)}
    </span>
  )
}

const tones: Record<SiteStatus['tone'], string> = { critical: 'text-critical', warning: 'text-warning', unknown: 'text-muted' }

type TroubleProps = { site: Site; status: SiteStatus; onOpen: OpenSite }

const linkClass = 'relative font-medium text-brand hover:underline after:absolute after:-inset-x-1 after:-inset-y-3'

/** What keeps a site from being up to date, and the fix; nothing if all is well. */
export function Trouble({ site, status: { words, tone, action, canMonitor }, onOpen }: TroubleProps) {
  if (words === null) return null
  const isSaid = action?.label === words
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5" title={site.sync.message ?? undefined}>
      {!isSaid && <span className={clsx('font-medium', tones[tone])}>{words}</span>}
      {canMonitor && (
        <button type="button" className={linkClass} aria-label={`Monitor ${propertyName(site.name)}`} onClick={() => onOpen(site.name)}>
          Monitor
        </button>
      )}
      {action !== null && <Mending {...action} site={site.name} className={clsx(linkClass, isSaid && [tones[tone], 'underline'])} />}
    </span>
  )
}

/** The server's own paths leave the app and return; others open in a new tab. */
function Mending({ label, href, site, className }: { label: string; href: string; site: string; className: string }) {
  const props = { 'aria-label': `${label}: ${propertyName(site)}`, className }
  if (isScreen(href)) {
    return (
      <Link to={href} {...props}>
        {label}
      </Link>
    )
  }
  return (
    <a href={href} {...props} {...(href.startsWith('/') ? {} : { target: '_blank', rel: 'noreferrer' })}>
      {label}
    </a>
  )
}
