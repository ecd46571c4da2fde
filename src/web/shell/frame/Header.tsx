import { UserRound } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { LogoMark } from '../../ui/Logo.tsx'
import { HelpMenu } from '../help/HelpMenu.tsx'
import { MobileNav } from './MobileNav.tsx'
import { Notifications } from './Notifications.tsx'
import { HeaderSearch } from '../palette/HeaderSearch.tsx'
import { PropertyBar } from './PropertyBar.tsx'
import { SyncProgress } from './SyncProgress.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'
import { UserMenu } from './UserMenu.tsx'

export function Header() {
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-surface">
      <div className="flex min-h-14 flex-wrap items-center gap-x-2 px-2 sm:px-4 lg:pr-3 lg:pl-6">
        <MobileNav />
        <Link to={paths.dashboard} aria-label="Ranklark, dashboard" className="grid size-10 place-items-center rounded-md lg:hidden">
          <LogoMark className="size-7" />
        </Link>
        <div className="order-last -mx-2 w-[calc(100%+1rem)] min-w-0 border-t border-line px-4 py-1.5 sm:-mx-4 sm:w-[calc(100%+2rem)] sm:px-6 lg:order-none lg:mx-0 lg:w-auto lg:flex-1 lg:border-0 lg:px-0 lg:py-1">
          <PropertyBar />
        </div>
        <div className="ml-auto flex items-center">
          <HeaderSearch />
          <HelpMenu />
          <Notifications />
          <ThemeMenu />
          <Link to={paths.account} aria-label="Account" title="Account" className={iconButtonClass('lg:hidden')}>
            <UserRound aria-hidden />
          </Link>
          <UserMenu />
        </div>
      </div>
      <SyncProgress />
    </header>
  )
}
