import { alertInSearchConsole, searchConsoleAddress } from '../../../core/alerting/search-console.ts'
import type { MessageItem } from '../message.ts'

/** An alert's full report. */
export const reportLink = (baseUrl: string, alertId: string): string => `${baseUrl}/alerts/${encodeURIComponent(alertId)}`

/** All open alerts. */
export const alertsLink = (baseUrl: string): string => `${baseUrl}/alerts`

const isAtGoogle = (property: string): boolean => /^(sc-domain:|https?:\/\/)/.test(property)

/** A property's page in Search Console; null for one it doesn't have, such as an imported one. */
export const searchConsoleLink = (property: string): string | null => (isAtGoogle(property) ? searchConsoleAddress(property) : null)

/** An alert's page or query there on its days, or the property if it is about anything else, or the URL would be longer than `most`. */
export function alertConsoleLink(
  property: string,
  item: Pick<MessageItem, 'entity' | 'current' | 'searchType'>,
  most: number,
): string | null {
  if (!isAtGoogle(property)) return null
  const report = alertInSearchConsole({ target: property, ...item })
  return report.length <= most ? report : searchConsoleAddress(property)
}

/** The fix for a connection alert, with its full URL. */
export function actionLink(baseUrl: string, action: MessageItem['action']): { label: string; url: string } | null {
  if (action === null) return null
  const { label, href } = action
  if (/^\/(?!\/)/.test(href)) return { label, url: `${baseUrl}${href}` }
  return /^https?:\/\//i.test(href) && URL.canParse(href) ? { label, url: href } : null
}
