/** Every screen there is. The router shows them, and the server answers any other address with 404. */
export const screens = {
  home: '/',
  login: '/login',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  dashboard: '/dashboard',
  alertSettings: '/alert-settings',
  account: '/account',
  settings: '/settings',
  choosePlan: '/onboarding/plan',
  payment: '/onboarding/payment',
  selectSites: '/onboarding/sites',
} as const
export type ScreenPath = (typeof screens)[keyof typeof screens]

const known: ReadonlySet<string> = new Set(Object.values(screens))

/** Whether there is a screen at this path. */
export const isScreen = (path: string): path is ScreenPath => known.has(path)
