import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { alertsCountQuery, alertsQuery } from '../../api/alerts.ts'

const everywhere = 'all'

export const unreadCountQuery = alertsCountQuery(everywhere, { viewed: false })

/** Few enough to scan at a glance. */
export const unreadQuery = alertsQuery(everywhere, { viewed: false, limit: 10 })

/** Reports the number of unread alerts. It comes with the code of the alerts, which the first screen need not wait for. */
export function UnreadCount({ onChange }: { onChange: (count: number) => void }) {
  const { data: count = 0 } = useQuery(unreadCountQuery)
  useEffect(() => onChange(count), [count, onChange])
  return null
}
