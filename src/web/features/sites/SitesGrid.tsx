import { clsx } from 'clsx'
import type { Site } from '../../../contract/portfolio.ts'
import { Change, ClicksLine, Figure, Freshness, OpenAlerts, SiteMark, SiteName, Trouble } from './site-parts.tsx'
import type { SitesListProps } from './sites-list.ts'
import { type Compared, comparedMetrics, sortLabels } from './sites-view.ts'
import { standingOf } from './standing.ts'
import { Tags } from './Tags.tsx'

type ItemProps = Pick<SitesListProps, 'known' | 'now' | 'onOpen' | 'onChooseTag'> & { site: Site }

/** The whole card or row is the button that the name is; what else can be pressed lies above it. */
const whole = 'after:absolute after:inset-0 after:rounded-card'
const above = 'relative z-1'

/** A card for each site. */
export function SitesGrid({ sites, isWhole, all, allLabel, ...item }: SitesListProps) {
  return (
    <>
      {all !== null && (
        <section
          aria-label={allLabel}
          className="mb-4 flex flex-wrap items-center gap-x-8 gap-y-2 rounded-card border border-line bg-sunken px-4 py-3"
        >
          <p className="font-semibold">{allLabel}</p>
          <Figures metrics={all.metrics} />
        </section>
      )}
      <ul aria-label="Sites" data-whole={isWhole} className="grid grid-cols-[repeat(auto-fill,minmax(17rem,1fr))] gap-4">
        {sites.map((site) => (
          <GridCard key={site.name} site={site} {...item} />
        ))}
      </ul>
    </>
  )
}

function GridCard({ site, known, now, onOpen, onChooseTag }: ItemProps) {
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
      <ClicksLine site={site} className="h-12!" />
      <Figures metrics={site.metrics} />
      <div className="mt-auto flex min-h-6 flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
        <OpenAlerts alerts={site.alerts} />
        <Freshness site={site} now={now} />
      </div>
      <div className={clsx(above, 'flex min-h-6 flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm')}>
        <Tags site={site} known={known} onChoose={onChooseTag} />
        <Trouble site={site} standing={standingOf(site)} onOpen={onOpen} />
      </div>
    </li>
  )
}

function Figures({ metrics }: { metrics: Compared | null }) {
  return (
    <dl className="grid grid-cols-[auto_auto_auto] justify-between gap-x-4 text-sm max-md:flex-1">
      {comparedMetrics.map((metric) => (
        <div key={metric}>
          <dt className="text-xs text-muted">{sortLabels[metric]}</dt>
          <dd className="mt-0.5 flex flex-wrap items-baseline gap-x-1.5">
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

/** Two or three lines for each site, where there is no room for a table. */
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
        <CompactRow key={site.name} site={site} {...item} />
      ))}
    </ul>
  )
}

function CompactRow({ site, known, now, onOpen }: ItemProps) {
  const standing = standingOf(site)
  return (
    <li data-site={site.name} className="relative px-4 py-3">
      <div className="flex items-center gap-2.5">
        <SiteMark name={site.name} />
        <SiteName site={site} onOpen={onOpen} className={clsx(whole, 'flex-1')} />
        {site.alerts !== null && <OpenAlerts alerts={site.alerts} />}
      </div>
      {site.metrics !== null && (
        <div className="mt-2.5">
          <Figures metrics={site.metrics} />
        </div>
      )}
      <div className={clsx(above, 'mt-2 flex min-h-10 flex-wrap items-center justify-between gap-x-3 text-xs')}>
        <Tags site={site} known={known} />
        <span className="flex flex-wrap items-center gap-x-2">
          <Trouble site={site} standing={standing} onOpen={onOpen} />
          <Freshness site={site} now={now} />
        </span>
      </div>
    </li>
  )
}
