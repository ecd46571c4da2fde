import { clsx } from 'clsx'
import { LogOut } from 'lucide-react'
import type { RefObject } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { useLogout } from '../use-logout.ts'
import { useCarriedTo } from './kept-params.ts'
import { mobileNav } from './nav.ts'
import { navLinkClass, Person } from './Sidebar.tsx'

type MobileNavSheetProps = { open: boolean; onOpenChange: (open: boolean) => void; opener: RefObject<HTMLButtonElement | null> }

export function MobileNavSheet({ open, onOpenChange, opener }: MobileNavSheetProps) {
  const { pathname } = useLocation()
  const logout = useLogout()
  const withKeptParams = useCarriedTo()
  return (
    <Sheet open={open} onOpenChange={onOpenChange} opener={opener} title="Menu">
      <nav aria-label="Main" className="flex-1 px-3">
        <ul>
          {mobileNav.map(({ label, path, icon: Icon }) => {
            // "/" redirects to the dashboard.
            const current = path === pathname || (path === paths.home && pathname === paths.dashboard)
            return (
              <li key={path}>
                <Link
                  to={withKeptParams(path)}
                  aria-current={current ? 'page' : undefined}
                  className={navLinkClass(current)}
                  onClick={() => onOpenChange(false)}
                >
                  <Icon aria-hidden className="size-4 shrink-0" />
                  {label}
                </Link>
              </li>
            )
          })}
        </ul>
      </nav>
      <div className="px-3 pb-2">
        <button type="button" className={clsx(navLinkClass(false), 'w-full')} onClick={() => logout.mutate()}>
          <LogOut aria-hidden className="size-4 shrink-0" />
          Log out
        </button>
      </div>
      <Person />
    </Sheet>
  )
}
