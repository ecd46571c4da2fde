import { clsx } from 'clsx'
import type { Site } from '../../../contract/portfolio.ts'
import { Change, Figure, Freshness, OpenAlertCount, SiteClicks, SiteMark, SiteName, type SitesListProps, Trouble } from './site-parts.tsx'
import { type Compared, comparedMetrics, sortLabels } from './sites-view.ts'
import { statusOf } from './site-status.ts'
import { Tags } from './Tags.tsx'

type ItemProps = Pick<SitesListProps, 'known' | 'now' | 'onOpen' | 'onChooseTag'> & { site: Site }

/** The whole card or row acts as the name's button; other controls are above it. */
const whole = 'after:absolute after:inset-0 after:rounded-card'
const above = 'relative z-1'

export function SitesGrid({ sites, isWhole, all, allLabel, ...item }: SitesListProps) {
  return (
    <>
      {all !== null && (
        <section
          aria-label={allLabel}
          className="mb-4 flex flex-wrap items-center gap-x-8 gap-y-2 rounded-card border border-line bg-sunken px-4 py-3"
        >
          <p className="font-semibold">{allLabel}</p>
          <div className="flex max-w-lg grow">
            <Figures metrics={all.metrics} />
          </div>
        </section>
      )}
      <ul aria-label="Sites" data-whole={isWhole} className="grid grid-cols-[repeat(auto-fill,minmax(min(19rem,100%),1fr))] gap-4">
        {sites.map((site) => (
          <GridCard key={site.name} site={site} {...item} />
        ))}
      </ul>
    </>
  )
}

function GridCard({ site, known, now, onOpen, onChooseTag }: ItemProps) {
  const status = statusOf(site)
  return (
    <li
      data-site={site.name}
      className={clsx(
        'relative flex flex-col gap-3 rounded-card border border-line bg-surface p-4',
        site.monitored && 'hover:border-line-control',
      )}
    >
      <div className="flex min-h-8 items-center gap-2.5">
        <SiteMark name={site.name} />
        <SiteName site={site} onOpen={onOpen} className={whole} />
      </div>
      <SiteClicks site={site} className="h-12!" />
      <Figures metrics={site.metrics} />
      <div className="mt-auto flex min-h-6 flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
        <OpenAlertCount alerts={site.alerts} />
        <Freshness site={site} status={status} now={now} inWords />
      </div>
      <div className={clsx(above, 'flex min-h-6 flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm')}>
        <Tags site={site} known={known} onChoose={onChooseTag} />
        <Trouble site={site} status={status} onOpen={onOpen} />
      </div>
    </li>
  )
}

type FiguresProps = {
  metrics: Compared | null
  /** For screen readers only, if something above makes it obvious. */
  hideLabels?: boolean
}

function Figures({ metrics, hideLabels = false }: FiguresProps) {
  return (
    <dl className="grid grow grid-cols-3 gap-x-3 text-sm">
      {comparedMetrics.map((metric) => (
        <div key={metric}>
          <dt className={hideLabels ? 'sr-only' : 'mb-0.5 text-xs text-muted'}>{sortLabels[metric]}</dt>
          <dd className="flex flex-col items-start">
            <span className="font-medium">
              <Figure metrics={metrics} metric={metric} />
            </span>
            <span className="text-xs">
              <Change metrics={metrics} metric={metric} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Two lines per site if there is no room for a table; a third one for problems. */
export function SiteRows({ sites, isWhole, all, allLabel, ...item }: SitesListProps) {
  return (
    <ul aria-label="Sites" data-whole={isWhole} className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
      {all !== null && (
        <li className="bg-sunken px-4 py-3">
          <p className="mb-2 font-semibold">{allLabel}</p>
          <Figures metrics={all.metrics} />
        </li>
      )}
      {sites.map((site) => (
        <CompactRow key={site.name} site={site} newest={all?.metrics.current.end ?? null} {...item} />
      ))}
    </ul>
  )
}

/** @param newest the last day of the other sites, which adds the figures' labels; null without any */
function CompactRow({ site, newest, known, now, onOpen }: ItemProps & { newest: string | null }) {
  const status = statusOf(site)
  const isLate = site.sync.completeThrough !== newest
  return (
    <li data-site={site.name} className="relative px-4 py-2.5">
      <div className="flex min-h-8 items-center gap-2.5">
        <SiteMark name={site.name} />
        <SiteName site={site} onOpen={onOpen} className={clsx(whole, 'flex-1')} />
        {site.tags.length === 0 && (
          <span className={above}>
            <Tags site={site} known={known} />
          </span>
        )}
      </div>
      {site.metrics !== null && (
        <div className="mt-2">
          <Figures metrics={site.metrics} hideLabels={newest !== null} />
        </div>
      )}
      {(site.alerts !== null || site.tags.length > 0 || isLate || status.words !== null) && (
        <div className={clsx(above, 'mt-1.5 flex min-h-8 flex-wrap items-center justify-between gap-x-3 text-xs')}>
          {site.alerts !== null && <OpenAlertCount alerts={site.alerts} />}
          {site.tags.length > 0 && <Tags site={site} known={known} />}
          <span className="ml-auto flex flex-wrap items-center justify-end gap-x-2">
            <Trouble site={site} status={status} onOpen={onOpen} />
            <Freshness site={site} status={status} now={now} />
          </span>
        </div>
      )}
    </li>
  )
}
