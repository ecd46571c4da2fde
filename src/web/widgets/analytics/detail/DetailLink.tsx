import { Link } from 'react-router'
import { pagePath } from '../../../../core/analytics/page-path.ts'
import { MiddleCut } from '../../../ui/MiddleCut.tsx'
import { Tooltip } from '../../../ui/overlay/Tooltip.tsx'
import type { Detail } from './detail-link.ts'
import { useDetailLink } from './use-detail-link.ts'

/** As high as a finger, where fingers are likely; where a mouse is, links lie close above each other. */
const linkClass = 'flex min-w-10 py-2.75 -my-2.75 hover:underline lg:pointer-fine:-my-px lg:pointer-fine:py-px'
const looks = { loud: 'font-medium text-brand', quiet: 'text-muted hover:text-text' }

/**
 * A page or query that opens its panel. A page is called by its path plus query, and its whole address is told on hover
 * and focus. `quiet`: for what stands below the name of a row.
 */
export function DetailLink({ kind, name, quiet = false }: Detail & { quiet?: boolean }) {
  const to = useDetailLink()({ kind, name })
  return (
    <Tooltip wide content={<bdi>{name}</bdi>}>
      <Link to={to} preventScrollReset aria-label={name} className={`${linkClass} ${looks[quiet ? 'quiet' : 'loud']}`}>
        {kind === 'page' ? <MiddleCut text={pagePath(name)} /> : <bdi className="line-clamp-2 wrap-anywhere">{name}</bdi>}
      </Link>
    </Tooltip>
  )
}
