import { Bell, CircleHelp, Compass, FileQuestion, Keyboard, LifeBuoy, LogOut, Menu as MenuIcon, UserRound } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { historyShare, isUnderWay } from '../../api/sync.ts'
import { paths } from '../../paths.ts'
import { IconButton, iconButtonClass } from '../../ui/Button.tsx'
import { LogoMark } from '../../ui/Logo.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { HeaderSearch } from '../palette/HeaderSearch.tsx'
import { useSyncStatus } from '../sync.ts'
import { useLogout } from '../use-logout.ts'
import { resetWelcome } from '../welcome/welcome.ts'
import { useCarriedTo } from './kept-params.ts'
import { PropertyBar } from './PropertyBar.tsx'
import { useShellDialogs } from './shell-dialogs.ts'
import { ThemeMenu } from './ThemeMenu.tsx'

export function Header() {
  const withKeptParams = useCarriedTo()
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-surface">
      <div className="flex min-h-14 flex-wrap items-center gap-x-2 px-2 sm:px-4 lg:pr-3 lg:pl-6">
        <MobileNav />
        <Link
          to={withKeptParams(paths.dashboard)}
          aria-label="Ranklark, dashboard"
          className="grid size-10 place-items-center rounded-md lg:hidden"
        >
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

/** Help, support, shortcuts and the tour (OPEN-POINTS 2). */
function HelpMenu() {
  const { show } = useShellDialogs()
  const navigate = useNavigate()
  return (
    <Menu
      label="Help"
      triggerClass={iconButtonClass()}
      trigger={<CircleHelp aria-hidden />}
      entries={[
        { kind: 'link', label: 'Help Center', icon: <FileQuestion aria-hidden />, href: '/help' },
        { kind: 'action', label: 'Contact support', icon: <LifeBuoy aria-hidden />, onSelect: () => void navigate(paths.contact) },
        { kind: 'action', label: 'Keyboard shortcuts', icon: <Keyboard aria-hidden />, onSelect: () => show('shortcuts') },
        { kind: 'action', label: 'Show the welcome tour again', icon: <Compass aria-hidden />, onSelect: resetWelcome },
        { kind: 'note', label: `Ranklark ${import.meta.env.VERSION}` },
      ]}
    />
  )
}

function UserMenu() {
  const navigate = useNavigate()
  const logout = useLogout()
  return (
    <Menu
      label="Account menu"
      triggerClass={iconButtonClass('max-lg:hidden')}
      trigger={<UserRound aria-hidden />}
      entries={[
        { kind: 'action', label: 'Profile', icon: <UserRound aria-hidden />, onSelect: () => void navigate(paths.account) },
        { kind: 'action', label: 'Log out', icon: <LogOut aria-hidden />, onSelect: () => logout.mutate() },
      ]}
    />
  )
}

const loadSheet = () => import('./MobileNavSheet.tsx')
const MobileNavSheet = lazy(async () => ({ default: (await loadSheet()).MobileNavSheet }))

/** Opens the navigation on screens too narrow for the sidebar. */
function MobileNav() {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  return (
    <>
      <IconButton
        ref={button}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        className="lg:hidden"
        onPointerEnter={() => void loadSheet()}
        onFocus={() => void loadSheet()}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
      >
        <MenuIcon aria-hidden />
      </IconButton>
      {wanted && (
        <Suspense>
          <MobileNavSheet open={open} onOpenChange={setOpen} opener={button} />
        </Suspense>
      )}
    </>
  )
}

/** Progress of the running sync, along the lower edge of the header. */
function SyncProgress() {
  const status = useSyncStatus()
  if (status === null || !isUnderWay(status)) return null
  return (
    <div className="absolute inset-x-0 -bottom-px">
      <Progress label="Syncing" fraction={historyShare(status)} className="h-0.75 rounded-none!" />
    </div>
  )
}

const UnreadCount = lazy(async () => ({ default: (await import('./unread-alerts.ts')).UnreadCount }))
const NotificationList = lazy(async () => ({ default: (await import('./NotificationList.tsx')).NotificationList }))

/** Shows how many alerts of all properties are new. The list is fetched when it is opened (OPEN-POINTS 2, 22). */
function Notifications() {
  const [count, setCount] = useState(0)
  const shown = count > 99 ? '99+' : String(count)
  return (
    <>
      <Suspense>
        <UnreadCount onChange={setCount} />
      </Suspense>
      <Popover
        label={count === 0 ? 'Notifications' : `Notifications, ${shown} unread across all sites`}
        title="Notifications"
        triggerClass={iconButtonClass('relative')}
        trigger={
          <>
            <Bell aria-hidden />
            {count > 0 && (
              <span className="absolute top-0.5 right-0.5 min-w-4 rounded-full bg-critical px-1 text-[0.625rem] leading-4 font-semibold text-on-critical tabular-nums">
                {shown}
              </span>
            )}
          </>
        }
      >
        {(close) => (
          <div className="w-88 max-w-full">
            <Suspense fallback={<Spinner label="Loading notifications" />}>
              <NotificationList onLeave={close} />
            </Suspense>
          </div>
        )}
      </Popover>
    </>
  )
}
