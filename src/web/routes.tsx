import { createBrowserRouter, type RouteObject } from 'react-router'
import { paths } from './paths.ts'
import { LoadingScreen } from './shell/LoadingScreen.tsx'
import { RouteError } from './shell/RouteError.tsx'

/** One entry per screen of paths.ts; each one's code loads when it is first opened. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingScreen,
    children: [
      { path: paths.home, lazy: async () => ({ Component: (await import('./shell/HomePage.tsx')).HomePage }) },
      { path: paths.login, lazy: async () => ({ Component: (await import('./features/auth/AuthPage.tsx')).AuthPage }) },
      {
        path: paths.forgotPassword,
        lazy: async () => ({ Component: (await import('./features/auth/ForgotPasswordPage.tsx')).ForgotPasswordPage }),
      },
      {
        path: paths.resetPassword,
        lazy: async () => ({ Component: (await import('./features/auth/ResetPasswordPage.tsx')).ResetPasswordPage }),
      },
      {
        path: paths.confirmDelivery,
        lazy: async () => ({ Component: (await import('./features/delivery/ConfirmDeliveryPage.tsx')).ConfirmDeliveryPage }),
      },
      {
        path: paths.unsubscribe,
        lazy: async () => ({ Component: (await import('./features/delivery/UnsubscribePage.tsx')).UnsubscribePage }),
      },
      {
        path: paths.alertVerdict,
        lazy: async () => ({ Component: (await import('./features/delivery/AlertVerdictPage.tsx')).AlertVerdictPage }),
      },
      { path: paths.verifyEmail, lazy: async () => ({ Component: (await import('./features/auth/VerifyEmailPage.tsx')).VerifyEmailPage }) },
      { path: paths.undoEmail, lazy: async () => ({ Component: (await import('./features/auth/UndoEmailPage.tsx')).UndoEmailPage }) },
      { path: paths.proven, lazy: async () => ({ Component: (await import('./features/auth/ProvenPage.tsx')).ProvenPage }) },
      {
        path: paths.sharedReport,
        lazy: async () => ({ Component: (await import('./features/shared-report/SharedReportPage.tsx')).SharedReportPage }),
      },
      {
        path: paths.choosePlan,
        lazy: async () => ({ Component: (await import('./features/onboarding/ChoosePlanPage.tsx')).ChoosePlanPage }),
      },
      { path: paths.payment, lazy: async () => ({ Component: (await import('./features/onboarding/PaymentPage.tsx')).PaymentPage }) },
      {
        path: paths.selectSites,
        lazy: async () => ({ Component: (await import('./features/onboarding/SelectSitesPage.tsx')).SelectSitesPage }),
      },
      {
        lazy: async () => ({ Component: (await import('./shell/RequireSession.tsx')).RequireSession }),
        children: [
          {
            lazy: async () => ({ Component: (await import('./shell/frame/AppShell.tsx')).AppShell }),
            children: [
              {
                path: paths.dashboard,
                lazy: async () => ({ Component: (await import('./features/dashboard/DashboardPage.tsx')).DashboardPage }),
              },
              { path: paths.sites, lazy: async () => ({ Component: (await import('./features/sites/SitesPage.tsx')).SitesPage }) },
              { path: paths.explore, lazy: async () => ({ Component: (await import('./features/explore/ExplorePage.tsx')).ExplorePage }) },
              {
                path: paths.insights,
                lazy: async () => ({ Component: (await import('./features/insights/InsightsPage.tsx')).InsightsPage }),
              },
              {
                path: paths.alerts,
                lazy: async () => ({ Component: (await import('./features/alerts/ActiveAlertsPage.tsx')).ActiveAlertsPage }),
              },
              {
                path: paths.alertReport,
                lazy: async () => ({ Component: (await import('./features/alert-report/AlertReportPage.tsx')).AlertReportPage }),
              },
              {
                path: paths.alertHistory,
                lazy: async () => ({ Component: (await import('./features/alert-history/AlertHistoryPage.tsx')).AlertHistoryPage }),
              },
              {
                path: paths.alertSettings,
                lazy: async () => ({ Component: (await import('./features/alert-settings/AlertSettingsPage.tsx')).AlertSettingsPage }),
              },
              {
                path: paths.keywordOpportunities,
                lazy: async () => ({
                  Component: (await import('./features/keyword-opportunities/KeywordOpportunitiesPage.tsx')).KeywordOpportunitiesPage,
                }),
              },
              {
                path: paths.pageAnalytics,
                lazy: async () => ({ Component: (await import('./features/page-analytics/PageAnalyticsPage.tsx')).PageAnalyticsPage }),
              },
              {
                path: paths.reports,
                lazy: async () => ({ Component: (await import('./features/reports/ReportsPage.tsx')).ReportsPage }),
              },
              {
                path: paths.account,
                lazy: async () => ({ Component: (await import('./features/account/AccountPage.tsx')).AccountPage }),
              },
              {
                path: paths.developers,
                lazy: async () => ({ Component: (await import('./features/developers/DevelopersPage.tsx')).DevelopersPage }),
              },
              {
                path: paths.contact,
                lazy: async () => ({ Component: (await import('./features/contact/ContactPage.tsx')).ContactPage }),
              },
              {
                path: paths.settings,
                lazy: async () => ({ Component: (await import('./features/settings/SettingsPage.tsx')).SettingsPage }),
              },
            ],
          },
        ],
      },
      { path: '*', lazy: async () => ({ Component: (await import('./shell/NotFoundPage.tsx')).NotFoundPage }) },
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
