import { useRef } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'
import { ConfirmAddressBanner } from '../banners/ConfirmAddressBanner.tsx'
import { ConnectionBanner } from '../banners/ConnectionBanner.tsx'
import { DeliveryBanner } from '../banners/DeliveryBanner.tsx'
import { DemoBanner } from '../banners/DemoBanner.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { PlanBanner } from '../banners/PlanBanner.tsx'
import { Sidebar } from './Sidebar.tsx'
import { SkipLink } from './SkipLink.tsx'
import { ShellDialogs } from './ShellDialogs.tsx'
import { ShellDialogsContext } from './shell-dialogs.ts'
import { useDialogsState } from './use-dialogs-state.ts'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { usePurchaseGivenUp } from '../purchase/use-purchase-given-up.ts'
import { useReloadOnSync } from './use-reload-on-sync.ts'
import { useShellKeys } from './use-shell-keys.ts'
import { Welcome } from '../welcome/Welcome.tsx'

export function AppShell() {
  return (
    <ShellDialogsContext value={useDialogsState()}>
      <Shell />
      <ShellDialogs />
      <Welcome />
    </ShellDialogsContext>
  )
}

function Shell() {
  const content = useRef<HTMLElement>(null)
  useFocusOnNavigation(content)
  useShellKeys()
  usePurchaseGivenUp()
  useReloadOnSync()
  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header />
        <ConnectionBanner />
        <PlanBanner />
        <DeliveryBanner />
        <ConfirmAddressBanner />
        <DemoBanner />
        <main ref={content} id="content" tabIndex={-1} className="mx-auto w-full max-w-[80rem] flex-1 px-4 py-6 outline-none sm:px-6">
          <Outlet />
        </main>
        <Footer />
      </div>
      <ScrollRestoration />
    </div>
  )
}
