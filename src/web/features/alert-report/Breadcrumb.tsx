import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'

export function Breadcrumb() {
  return (
    <nav aria-label="Breadcrumb" className="-mt-2 mb-2">
      <ol className="flex items-center gap-1.5 text-sm text-muted [&_svg]:size-3.5">
        <li>
          <Link to={paths.alerts} className="inline-flex h-10 items-center rounded-sm font-medium hover:text-text hover:underline">
            Active Alerts
          </Link>
        </li>
        <li aria-hidden>
          <ChevronRight />
        </li>
        <li aria-current="page">Report</li>
      </ol>
    </nav>
  )
}
