/** Every screen. The router shows them, and the server answers any other path with 404. */
export const screens = {
  home: '/',
  login: '/login',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  undoEmail: '/undo-email',
  proven: '/proven',
  dashboard: '/dashboard',
  sites: '/sites',
  explore: '/explore',
  insights: '/insights',
  alerts: '/alerts',
  alertReport: '/alerts/:id',
  alertHistory: '/alert-history',
  alertSettings: '/alert-settings',
  keywordOpportunities: '/keyword-opportunities',
  pageAnalytics: '/page-analytics',
  reports: '/reports',
  sharedReport: '/shared/:token',
  developers: '/developers',
  contact: '/contact',
  confirmDelivery: '/confirm-delivery',
  unsubscribe: '/unsubscribe',
  alertVerdict: '/alert-verdict',
  account: '/account',
  settings: '/settings',
  choosePlan: '/onboarding/plan',
  payment: '/onboarding/payment',
  selectSites: '/onboarding/sites',
} as const

const known: readonly RegExp[] = Object.values(screens).map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))

export const isScreen = (path: string): boolean => known.some((pattern) => pattern.test(path))

/** Pages that are plain files (src/site), for everybody, without the app. Links to them leave the app. */
export const sitePages = { landing: '/', help: '/help', privacy: '/privacy', terms: '/terms' } as const

/** The links in every footer. */
export const legalLinks = [
  { label: 'Help Center', path: sitePages.help },
  { label: 'Privacy Policy', path: sitePages.privacy },
  { label: 'Terms of Service', path: sitePages.terms },
] as const
