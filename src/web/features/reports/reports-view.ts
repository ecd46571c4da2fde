/** What the address says of this screen. `start`: the first day of the week or month; the latest one when empty. */
export const reportsView = {
  tab: ['report', 'schedules', 'clients', 'brand', 'links', 'pdfs'],
  kind: ['month', 'week'],
  start: 'text',
} as const
export type ReportsTab = (typeof reportsView)['tab'][number]
