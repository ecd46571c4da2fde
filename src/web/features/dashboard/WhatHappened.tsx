import { useQuery } from '@tanstack/react-query'
import type { MetricsRead, Period } from '../../../contract/metrics.ts'
import { isComparable } from '../../../core/analytics/anomalies.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { type WeekOfDevice, weekInWords } from './week-in-words.ts'
import { alertsQuery } from '../../api/alerts.ts'
import { fewRowsQuery } from '../../api/explore.ts'
import { partAsked } from './Audience.tsx'
import { useComparedDays } from './history/use-history-view.ts'

/** The week in one sentence, from figures that other parts of the screen have requested. */
export function WhatHappened({ property, metrics }: { property: string; metrics: MetricsRead }) {
  const { clicks, clicksPrevious, clicksChange, current, previous } = metrics
  const alerts = useQuery({ ...alertsQuery(property, { state: 'open' }), enabled: false })
  const devices = useDevices(property, current, previous)
  return weekInWords({
    clicks: {
      now: clicks,
      before: clicksPrevious ?? null,
      change: clicksChange,
      comparable: current === undefined || previous === undefined || isComparable('clicks', current, previous),
    },
    devices,
    openAlerts: alerts.isPlaceholderData ? null : (alerts.data?.length ?? null),
  })
}

/** The devices below, if their days are those of the cards. */
function useDevices(property: string, current: Period | undefined, previous: Period | undefined): WeekOfDevice[] {
  const { asked } = useComparedDays()
  const { data, isPlaceholderData } = useQuery({ ...fewRowsQuery(partAsked(property, 'device', asked)), enabled: false })
  if (!data || isPlaceholderData || !sameDays(data.period, current) || !sameDays(data.compared, previous)) return []
  return data.rows.map(({ name, clicks, previous: before }) => ({ name: deviceName(name), now: clicks, before: before?.clicks ?? 0 }))
}

const sameDays = (a: Period | null, b: Period | undefined): boolean => a?.start === b?.start && a?.end === b?.end
