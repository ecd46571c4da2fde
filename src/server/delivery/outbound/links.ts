import type { NewsItem } from '../message.ts'

/** An alert's full report. */
export const reportLink = (baseUrl: string, alertId: string): string => `${baseUrl}/alerts/${encodeURIComponent(alertId)}`

/** All that is open. */
export const alertsLink = (baseUrl: string): string => `${baseUrl}/alerts`

/** Where Search Console shows a property; null for one that it does not have, such as an imported one. */
export const searchConsoleLink = (property: string): string | null =>
  /^(sc-domain:|https?:\/\/)/.test(property)
    ? `https://search.google.com/search-console?resource_id=${encodeURIComponent(property.toWellFormed())}`
    : null

/** What mends an alert about the connection, with its whole address. */
export function actionLink(baseUrl: string, action: NewsItem['action']): { label: string; url: string } | null {
  if (action === null) return null
  const { label, href } = action
  if (/^\/(?!\/)/.test(href)) return { label, url: `${baseUrl}${href}` }
  return /^https?:\/\//i.test(href) && URL.canParse(href) ? { label, url: href } : null
}
