import type { Segments } from '../../../../contract/analytics.ts'
import { formatCount } from '../../../lib/format.ts'

const devices: Readonly<Record<string, string>> = { DESKTOP: 'Desktop', MOBILE: 'Mobile', TABLET: 'Tablet' }

/** A device as people call it; one that we do not know as Google calls it. */
export const deviceName = (name: string): string => devices[name.toUpperCase()] ?? name

/** Which part of all clicks came from where, the first three named. */
export function clicksSummary(rows: Segments, nameOf: (name: string) => string): string {
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0)
  if (total === 0) return 'No clicks in this period.'
  const parts = rows.slice(0, 3).map(({ name, clicks }) => `${nameOf(name)} ${Math.round((clicks / total) * 100)}%`)
  return `Of ${formatCount(total)} clicks: ${parts.join(', ')}.`
}
