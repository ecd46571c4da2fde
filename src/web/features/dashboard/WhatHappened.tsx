import { useQuery } from '@tanstack/react-query'
import type { SearchType } from '../../../contract/common.ts'
import type { MetricsRead, Period } from '../../../contract/metrics.ts'
import { isComparable } from '../../../core/analytics/anomalies.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { daysInWords, type DeviceClicks } from './days-in-words.ts'
import { namesOf, type ShownDays } from './names-of-days.ts'
import { alertsQuery, useOpenCount } from '../../api/alerts.ts'
import { useLargest } from './Audience.tsx'
import { useComparedDays } from './history/use-history-view.ts'

/** The days of the cards in one sentence, from figures that other parts of the screen have too; nothing about days that aren't stored. */
export function WhatHappened({
  property,
  metrics,
  days,
}: {
  property: string
  metrics: MetricsRead
  days: ShownDays & { type: SearchType }
}) {
  const { clicks, clicksPrevious, clicksChange, current, previous } = metrics
  const alerts = useQuery({ ...alertsQuery(property, { state: 'open' }), enabled: false })
  const open = useOpenCount(property, alerts.data)
  const devices = useDevices(property, current, previous)
  if (!metrics.isStored) return null
  return daysInWords({
    names: namesOf(days, metrics),
    type: days.type,
    clicks: {
      now: clicks,
      before: clicksPrevious ?? null,
      change: clicksChange,
      comparable: !current || !previous || isComparable('clicks', current, previous, days.type),
    },
    devices,
    openAlerts: alerts.isPlaceholderData ? null : (open ?? null),
  })
}

/** The devices, if their days are those of the cards; they are the whole site's, so they say nothing about a segment. */
function useDevices(property: string, current: Period | undefined, previous: Period | null | undefined): DeviceClicks[] {
  const days = useComparedDays()
  const { data, isPlaceholderData } = useLargest(property, 'device', days, days.segment === '').query
  if (days.segment !== '' || !data || isPlaceholderData || !sameDays(data.period, current) || !sameDays(data.compared, previous)) return []
  return data.rows.map(({ name, clicks, previous: before }) => ({ name: deviceName(name), now: clicks, before: before?.clicks ?? 0 }))
}

const sameDays = (a: Period | null, b: Period | null | undefined): boolean => a?.start === b?.start && a?.end === b?.end
