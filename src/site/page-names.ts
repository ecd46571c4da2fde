import { sitePages } from '../contract/screens.ts'

/** All files, each in one version for installations with payment and one for those without. The landing page has two, since a demo explains how to try it; the server fills in the reference. */
export const pageNames = ['landing', 'landing-demo', 'help', 'privacy', 'terms', 'api-docs'] as const
export type PageName = (typeof pageNames)[number]

/** Which page is at this path; null when it is none of these. */
export function pageAt(path: string): keyof typeof sitePages | null {
  const names = ['landing', 'help', 'privacy', 'terms'] as const
  return names.find((name) => sitePages[name] === path) ?? null
}
