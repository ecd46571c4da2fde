import { sitePages } from '../contract/screens.ts'

/** The files there are, each for installations with payment and for those without. Of the landing there are two, since a demo says how to try it; the server fills in the reference. */
export const pageNames = ['landing', 'landing-demo', 'help', 'privacy', 'terms', 'api-docs'] as const
export type PageName = (typeof pageNames)[number]

/** Which page is at this path; null when it is none of these. */
export function pageAt(path: string): keyof typeof sitePages | null {
  const names = ['landing', 'help', 'privacy', 'terms'] as const
  return names.find((name) => sitePages[name] === path) ?? null
}
