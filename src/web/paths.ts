/** Every screen of the router. Links are built here, so that none can point at a screen that does not exist. */
export const paths = {
  home: '/',
  login: '/login',
  dashboard: '/dashboard',
  account: '/account',
  selectSites: '/onboarding/sites',
} as const

export type ScreenPath = (typeof paths)[keyof typeof paths]

const screens: ReadonlySet<string> = new Set(Object.values(paths))

/** Whether the router has a screen at this path; an entry without one is not listed anywhere. */
export function isScreen(path: string): path is ScreenPath {
  return screens.has(path)
}
