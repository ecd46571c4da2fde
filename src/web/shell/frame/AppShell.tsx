import { clsx } from 'clsx'
import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router'
import { isScreen, legalLinks } from '../../../contract/screens.ts'
import type { PlanId } from '../../../contract/user.ts'
import { counted } from '../../../core/words.ts'
import { shellKeys } from '../../lib/hooks/shortcut-keys.ts'
import { isTyping, useKeydown } from '../../lib/hooks/use-keydown.ts'
import { useLoading } from '../../lib/hooks/use-loading.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Badge } from '../../ui/Badge.tsx'
import { planNames } from '../plans.ts'
import { withKeptParams } from './kept-params.ts'
import { keepsKeys } from '../../ui/overlay/keeps-keys.ts'
import { Banners } from '../banners/Banners.tsx'
import { useCurrentUser } from '../current-user.ts'
import { usePurchaseFlow } from '../purchase/purchase-flow-context.ts'
import { Welcome } from '../welcome/Welcome.tsx'
import { Header } from './Header.tsx'
import { nav } from './nav.ts'
import { type Recent, type ShellDialog, ShellDialogsContext, type ShellDialogsState, useShellDialogs } from './shell-dialogs.ts'
import { ShellDialogs } from './ShellDialogs.tsx'
import { ShownProperty } from './ShownProperty.tsx'
import { Sidebar } from './Sidebar.tsx'

export function AppShell() {
  return (
    <ShownProperty>
      <ShellDialogsContext value={useDialogsState()}>
        <Shell />
        <ShellDialogs />
        <Welcome />
      </ShellDialogsContext>
    </ShownProperty>
  )
}

// Not needed for the first screen; without it, everything else works.
const ReloadOnSync = lazy(() =>
  import('./ReloadOnSync.tsx').then(
    (loaded) => ({ default: loaded.ReloadOnSync }),
    () => ({ default: () => null }),
  ),
)

function Shell() {
  const content = useRef<HTMLElement>(null)
  useFocusOnNavigation(content)
  useShellKeys()
  usePurchaseGivenUp()
  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header />
        <Banners />
        <main ref={content} id="content" tabIndex={-1} className="mx-auto w-full max-w-[80rem] flex-1 px-4 py-6 outline-none sm:px-6">
          <Outlet />
        </main>
        <Footer />
      </div>
      <ScrollRestoration />
      <Suspense>
        <ReloadOnSync />
      </Suspense>
    </div>
  )
}

/** The first stop of the Tab key: skips the navigation. */
function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only rounded-control bg-brand px-4 py-2 font-medium text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40"
    >
      Skip to content
    </a>
  )
}

const mostRecent = 5

/** State that the shell's dialogs share. */
function useDialogsState(): ShellDialogsState {
  const [open, setOpen] = useState<ShellDialog | null>(null)
  const [text, setText] = useState('')
  const [recent, setRecent] = useState<readonly Recent[]>([])
  const opener = useRef<HTMLElement | null>(null)
  return useMemo(
    () => ({
      open,
      show(dialog, typed = '') {
        if (open === null) opener.current = focused()
        setText(typed)
        setOpen(dialog)
      },
      close: () => setOpen(null),
      text,
      setText,
      recent,
      remember: (choice) => setRecent((before) => [choice, ...before.filter((each) => !same(each, choice))].slice(0, mostRecent)),
      opener: () => (opener.current === null ? false : opener.current.isConnected ? opener.current : null),
    }),
    [open, text, recent],
  )
}

/** The element that has the focus; null while only the body has it. */
function focused(): HTMLElement | null {
  const element = document.activeElement
  return element instanceof HTMLElement && element !== document.body ? element : null
}

function same(a: Recent, b: Recent): boolean {
  return a.kind === b.kind && a.name === b.name && a.property === b.property
}

const sequenceMillis = 1000
const screens = nav.flatMap((group) => group.items)

/**
 * Opens screens by the two keys of nav.ts in sequence, and search and help by theirs, but not while somebody is typing. Search also opens
 * from within a field, by a key that types nothing.
 */
function useShellKeys(): void {
  const navigate = useNavigate()
  const { open, show, close } = useShellDialogs()
  const first = useRef<{ key: string; at: number } | null>(null)

  function onCommand(event: KeyboardEvent) {
    if (event.key.toLowerCase() !== shellKeys.palette || event.altKey || event.shiftKey) return
    if (open === 'palette') {
      event.preventDefault()
      close()
    } else if (!keepsKeys(event.target)) {
      event.preventDefault()
      show('palette')
    }
  }

  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey) return onCommand(event)
    if (event.altKey || event.defaultPrevented || isTyping(event.target)) return
    const before = first.current !== null && event.timeStamp - first.current.at < sequenceMillis ? first.current.key : null
    first.current = { key: event.key, at: event.timeStamp }
    const screen = screens.find(({ keys }) => keys?.[0] === before && keys?.[1] === event.key)
    if (before !== null && screen !== undefined) void navigate(withKeptParams(screen.path, window.location))
    else if (event.key === shellKeys.search) {
      // Otherwise the key would be typed into the field that just appeared.
      event.preventDefault()
      show('palette')
    } else if (event.key === shellKeys.help) show('shortcuts')
  })
}

/** Moves the focus to the start of a new screen, as a page load would. */
function useFocusOnNavigation(target: RefObject<HTMLElement | null>): void {
  const { pathname, hash } = useLocation()
  const { open } = useShellDialogs()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // A target named in the URL takes the focus itself, and a dialog opened while the screen was loading keeps it.
    if (hash === '' && open === null) target.current?.focus({ preventScroll: true })
  }, [pathname, hash, open, target])
}

/**
 * Somebody with a plan who leaves the payment for the app's own screens has given it up: it must not stand between them and their sites.
 * Choosing the plan again resumes it.
 */
function usePurchaseGivenUp(): void {
  const { planChosen } = useCurrentUser()
  const { flow, dispatch } = usePurchaseFlow()
  // As of their arrival; a plan chosen on these screens only starts a purchase.
  const givenUp = useRef(planChosen && flow.selectedPlan !== null && flow.paymentStatus !== 'success')
  useEffect(() => {
    if (givenUp.current) dispatch({ type: 'reset' })
    givenUp.current = false
  }, [dispatch])
}

const upgrade = '/settings'
const nextPlans: Record<PlanId, PlanId | null> = { free: 'pro', pro: 'agency', agency: null }

function Footer() {
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
