import type { NewsItem } from '../message.ts'

/** An alert's full report. */
export const reportLink = (baseUrl: string, alertId: string): string => `${baseUrl}/alerts/${encodeURIComponent(alertId)}`

/** All open alerts. */
export const alertsLink = (baseUrl: string): string => `${baseUrl}/alerts`

/** A property's page in Search Console; null for one it doesn't have, such as an imported one. */
export const searchConsoleLink = (property: string): string | null =>
  /^(sc-domain:|https?:\/\/)/.test(property)
    ? `https://search.google.com/search-console?resource_id=${encodeURIComponent(property.toWellFormed())}`
    : null

/** The fix for a connection alert, with its full URL. */
export function actionLink(baseUrl: string, action: NewsItem['action']): { label: string; url: string } | null {
  if (action === null) return null
  const { label, href } = action
  if (/^\/(?!\/)/.test(href)) return { label, url: `${baseUrl}${href}` }
  return /^https?:\/\//i.test(href) && URL.canParse(href) ? { label, url: href } : null
}
