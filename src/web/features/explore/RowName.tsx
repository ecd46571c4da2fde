import { PanelRightOpen } from 'lucide-react'
import { Link } from 'react-router'
import type { Explored, ExploreRow } from '../../../contract/explore/explore.ts'
import { domainOf } from '../../../core/accounts/property-name.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { appearanceName } from '../../../core/analytics/exploration.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import type { Detail } from '../../widgets/analytics/detail/detail-link.ts'
import { useDetailLink } from '../../widgets/analytics/detail/use-detail-link.ts'
import { addressOfView, type ExploreView, narrowed } from './explore-view.ts'

type RowNameProps = { property: string; view: ExploreView; row: ExploreRow; explored: Pick<Explored, 'period' | 'compared'> }

/** A row's subject: leads to the same days, filtered to it. */
export function RowName({ property, view, row, explored }: RowNameProps) {
  const detail = detailOf(view, row)
  const text = textOf(property, view, row)
  return (
    <span className="flex min-w-0 items-start gap-1">
      <span className="min-w-0 grow">
        <Link
          to={addressOfView(property, { ...view, ...narrowed(view, row, explored) })}
          title={row.name}
          className="relative flex min-w-10 py-2.75 -my-2.75 font-medium text-brand in-data-compact:z-1 hover:underline lg:pointer-fine:-my-px lg:pointer-fine:py-px"
        >
          {view.by === 'page' || view.by === 'folder' ? (
            <MiddleCut text={text} />
          ) : (
            <bdi className="line-clamp-2 wrap-anywhere in-data-compact:line-clamp-1">{text}</bdi>
          )}
        </Link>
        {row.page !== undefined && (
          <span className="mt-0.5 flex text-muted" title={row.page}>
            <MiddleCut text={pagePath(row.page)} />
          </span>
        )}
        {row.complete === false && <span className="mt-0.5 block text-xs text-muted">incomplete</span>}
      </span>
      {detail !== null && <DetailButton {...detail} />}
    </span>
  )
}

function DetailButton({ kind, name }: Detail) {
  const to = useDetailLink()({ kind, name })
  return (
    <Link
      to={to}
      preventScrollReset
      aria-label={`Details for ${name}`}
      title="Details"
      className={iconButtonClass('-my-2 shrink-0 text-muted! lg:-my-1.5')}
    >
      <PanelRightOpen aria-hidden />
    </Link>
  )
}

/** Only for web search: the panel has no other figures. */
function detailOf({ by, type }: ExploreView, { name }: ExploreRow): Detail | null {
  if (type !== 'web') return null
  if (by === 'page') return { kind: 'page', name }
  return by === 'query' ? { kind: 'keyword', name } : null
}

export function textOf(property: string, { by }: Pick<ExploreView, 'by'>, { name, end }: ExploreRow): string {
  switch (by) {
    case 'page':
    case 'folder':
      // A whole domain has several sites; the usual one is omitted.
      return isUsualSite(property, name) ? pagePath(name) : withoutScheme(name)
    case 'country':
      return countryName(name)
    case 'device':
      return deviceName(name)
    case 'search_appearance':
      return appearanceName(name)
    case 'date':
      return formatPeriod({ start: name, end: end ?? name }, true)
    default:
      return name
  }
}

/** The site of a URL-prefix property, or a domain's own site, with or without www. */
function isUsualSite(property: string, page: string): boolean {
  const domain = domainOf(property)
  const host = URL.canParse(page) ? new URL(page).host : null
  return domain === null || host === domain || host === `www.${domain}`
}

function withoutScheme(page: string): string {
  const path = pagePath(page)
  return URL.canParse(page) ? new URL(page).host + path : page
}
