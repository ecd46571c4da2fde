import { alertsCountQuery, alertsQuery } from '../../api/alerts.ts'

const everywhere = 'all'

export const unreadCountQuery = alertsCountQuery(everywhere, { viewed: false })

/** Few enough to scan at a glance. */
export const unreadQuery = alertsQuery(everywhere, { viewed: false, limit: 10 })
