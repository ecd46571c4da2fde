import { createBrowserRouter, type RouteObject } from 'react-router'
import { paths } from './paths.ts'
import { LoadingScreen } from './shell/LoadingScreen.tsx'
import { RouteError } from './shell/RouteError.tsx'

/** One entry per screen of paths.ts; each one's code is fetched when it is first opened. */
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
      { path: paths.verifyEmail, lazy: async () => ({ Component: (await import('./features/auth/VerifyEmailPage.tsx')).VerifyEmailPage }) },
      {
        path: paths.choosePlan,
        lazy: async () => ({ Component: (await import('./features/onboarding/ChoosePlanPage.tsx')).ChoosePlanPage }),
      },
      { path: paths.payment, lazy: async () => ({ Component: (await import('./features/onboarding/PaymentPage.tsx')).PaymentPage }) },
      {
        lazy: async () => ({ Component: (await import('./shell/RequireSession.tsx')).RequireSession }),
        children: [
          {
            path: paths.selectSites,
            lazy: async () => ({ Component: (await import('./features/onboarding/SelectSitesPage.tsx')).SelectSitesPage }),
          },
          {
            lazy: async () => ({ Component: (await import('./shell/AppShell.tsx')).AppShell }),
            children: [
              {
                path: paths.dashboard,
                lazy: async () => ({ Component: (await import('./features/dashboard/DashboardPage.tsx')).DashboardPage }),
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
                path: paths.account,
                lazy: async () => ({ Component: (await import('./features/account/AccountPage.tsx')).AccountPage }),
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
  return createBrowserRouter(routes)
}
