import { clsx } from 'clsx'
import { Link } from 'react-router'
import { counted } from '../../../core/words.ts'
import { isScreen, legalLinks } from '../../../contract/screens.ts'
import type { PlanId } from '../../../contract/user.ts'
import { useLoading } from '../../lib/hooks/use-loading.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Badge } from '../../ui/Badge.tsx'
import { useCurrentUser } from '../current-user.ts'
import { planNames } from '../plans.ts'

const upgrade = '/settings'
const nextPlans: Record<PlanId, PlanId | null> = { free: 'pro', pro: 'agency', agency: null }

export function Footer() {
  const user = useCurrentUser()
  const next = user.plan && nextPlans[user.plan]
  return (
    // Until the screen above has its height, it would only jump.
    <footer className={clsx('border-t border-line text-sm text-muted', useLoading() && 'invisible')}>
      <div className="mx-auto flex max-w-[80rem] flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 sm:px-6">
        {user.plan !== null && <Badge tone="brand">{planNames[user.plan]} Plan</Badge>}
        <span className="tabular-nums">
          {user.siteLimit === null ? counted(user.sitesMonitored, 'site') : `${user.sitesMonitored}/${user.siteLimit} sites`} monitored
        </span>
        {next !== null && isScreen(upgrade) && (
          <Link to={upgrade} className="font-medium text-brand hover:underline">
            Upgrade to {planNames[next]}
          </Link>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:ml-auto">
          {legalLinks.map(({ label, path }) => (
            <a key={path} href={path} className="inline-flex min-h-10 items-center rounded-md hover:underline lg:min-h-0">
              {label}
            </a>
          ))}
          <span>© {useNow().getFullYear()} Ranklark</span>
        </div>
      </div>
    </footer>
  )
}
