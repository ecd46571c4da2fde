/** Every screen there is. The router shows them, and the server answers any other address with 404. */
export const screens = {
  home: '/',
  login: '/login',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  dashboard: '/dashboard',
  alerts: '/alerts',
  alertReport: '/alerts/:id',
  alertHistory: '/alert-history',
  alertSettings: '/alert-settings',
  confirmDelivery: '/confirm-delivery',
  unsubscribe: '/unsubscribe',
  account: '/account',
  settings: '/settings',
  choosePlan: '/onboarding/plan',
  payment: '/onboarding/payment',
  selectSites: '/onboarding/sites',
} as const

const known: readonly RegExp[] = Object.values(screens).map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))

/** Whether there is a screen at this path. */
export const isScreen = (path: string): boolean => known.some((pattern) => pattern.test(path))
