import { alertsCountQuery, alertsQuery } from '../../api/alerts.ts'

const everywhere = 'all'

export const unreadCountQuery = alertsCountQuery(everywhere, { viewed: false })

/** As many as one looks through at a glance. */
export const unreadQuery = alertsQuery(everywhere, { viewed: false, limit: 10 })
