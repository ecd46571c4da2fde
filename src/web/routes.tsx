import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { paths } from './paths.ts'
import { LoadingScreen } from './shell/LoadingScreen.tsx'
import { RouteError } from './shell/RouteError.tsx'

/** A screen, whose code loads when it is first opened. */
const screen = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
})

/** One entry per screen of paths.ts. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingScreen,
    children: [
      screen(paths.home, async () => (await import('./shell/HomePage.tsx')).HomePage),
      screen(paths.login, async () => (await import('./features/auth/AuthPage.tsx')).AuthPage),
      screen(paths.forgotPassword, async () => (await import('./features/auth/ForgotPasswordPage.tsx')).ForgotPasswordPage),
      screen(paths.resetPassword, async () => (await import('./features/links/ResetPasswordPage.tsx')).ResetPasswordPage),
      screen(paths.confirmDelivery, async () => (await import('./features/links/ConfirmDeliveryPage.tsx')).ConfirmDeliveryPage),
      screen(paths.unsubscribe, async () => (await import('./features/links/UnsubscribePage.tsx')).UnsubscribePage),
      screen(paths.alertVerdict, async () => (await import('./features/links/AlertVerdictPage.tsx')).AlertVerdictPage),
      screen(paths.verifyEmail, async () => (await import('./features/links/VerifyEmailPage.tsx')).VerifyEmailPage),
      screen(paths.undoEmail, async () => (await import('./features/links/UndoEmailPage.tsx')).UndoEmailPage),
      screen(paths.proven, async () => (await import('./features/auth/ProvenPage.tsx')).ProvenPage),
      screen(paths.sharedReport, async () => (await import('./features/shared-report/SharedReportPage.tsx')).SharedReportPage),
      screen(paths.choosePlan, async () => (await import('./features/onboarding/ChoosePlanPage.tsx')).ChoosePlanPage),
      screen(paths.payment, async () => (await import('./features/onboarding/PaymentPage.tsx')).PaymentPage),
      screen(paths.selectSites, async () => (await import('./features/onboarding/SelectSitesPage.tsx')).SelectSitesPage),
      {
        lazy: async () => ({ Component: (await import('./shell/RequireSession.tsx')).RequireSession }),
        children: [
          {
            lazy: async () => ({ Component: (await import('./shell/frame/AppShell.tsx')).AppShell }),
            children: [
              screen(paths.dashboard, async () => (await import('./features/dashboard/DashboardPage.tsx')).DashboardPage),
              screen(paths.sites, async () => (await import('./features/sites/SitesPage.tsx')).SitesPage),
              screen(paths.explore, async () => (await import('./features/explore/ExplorePage.tsx')).ExplorePage),
              screen(paths.insights, async () => (await import('./features/insights/InsightsPage.tsx')).InsightsPage),
              screen(paths.alerts, async () => (await import('./features/alerts/ActiveAlertsPage.tsx')).ActiveAlertsPage),
              screen(paths.alertReport, async () => (await import('./features/alert-report/AlertReportPage.tsx')).AlertReportPage),
              screen(paths.alertHistory, async () => (await import('./features/alert-history/AlertHistoryPage.tsx')).AlertHistoryPage),
              screen(paths.alertSettings, async () => (await import('./features/alert-settings/AlertSettingsPage.tsx')).AlertSettingsPage),
              screen(
                paths.keywordOpportunities,
                async () => (await import('./features/keyword-opportunities/KeywordOpportunitiesPage.tsx')).KeywordOpportunitiesPage,
              ),
              screen(paths.pageAnalytics, async () => (await import('./features/page-analytics/PageAnalyticsPage.tsx')).PageAnalyticsPage),
              screen(paths.reports, async () => (await import('./features/reports/ReportsPage.tsx')).ReportsPage),
              screen(paths.account, async () => (await import('./features/account/AccountPage.tsx')).AccountPage),
              screen(paths.developers, async () => (await import('./features/developers/DevelopersPage.tsx')).DevelopersPage),
              screen(paths.contact, async () => (await import('./features/contact/ContactPage.tsx')).ContactPage),
              screen(paths.settings, async () => (await import('./features/settings/SettingsPage.tsx')).SettingsPage),
            ],
          },
        ],
      },
      screen('*', async () => (await import('./shell/NotFoundPage.tsx')).NotFoundPage),
    ],
  },
]

export function createRouter() {
  nameEntry()
  return createBrowserRouter(routes)
}

/**
 * Gives the history entry of a page load its own key, which survives reloading and going back. Scroll positions are stored by these keys,
 * and the router calls every entry without one "default": the next page loaded in the same tab would start at the previous screen's
 * position. (The router's framework mode does the same.)
 */
function nameEntry(): void {
  const state: unknown = window.history.state
  const kept = typeof state === 'object' ? state : null
  if (kept === null || !('key' in kept)) window.history.replaceState({ ...kept, key: Math.random().toString(36).slice(2) }, '')
}
