import { Link } from 'react-router'
import { pagePath } from '../../../../core/analytics/page-path.ts'
import { MiddleCut } from '../../../ui/MiddleCut.tsx'
import { Tooltip } from '../../../ui/overlay/Tooltip.tsx'
import type { Detail } from './detail-link.ts'
import { useDetailLink } from './use-detail-link.ts'

/** As tall as a finger where touch is likely; with a mouse, links are close together. */
const linkClass = 'flex min-w-10 py-2.75 -my-2.75 hover:underline lg:pointer-fine:-my-px lg:pointer-fine:py-px'
const looks = { loud: 'font-medium text-brand', quiet: 'text-muted hover:text-text' }

/**
 * A page or query that opens its panel. Shows a page's path plus query; hover and focus show the full URL. `quiet`: for items below a row's
 * name.
 */
export function DetailLink({ kind, name, quiet = false }: Detail & { quiet?: boolean }) {
  const to = useDetailLink()({ kind, name })
  return (
    <Tooltip wide content={<bdi>{name}</bdi>}>
      <Link to={to} preventScrollReset aria-label={name} className={`${linkClass} ${looks[quiet ? 'quiet' : 'loud']}`}>
        {kind === 'page' ? (
          <MiddleCut text={pagePath(name)} />
        ) : (
          <bdi className="line-clamp-2 wrap-anywhere in-data-compact:line-clamp-1">{name}</bdi>
        )}
      </Link>
    </Tooltip>
  )
}
