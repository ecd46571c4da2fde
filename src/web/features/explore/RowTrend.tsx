import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useState } from 'react'
import type { Grouping } from '../../../contract/explore/explore.ts'
import { type ExploreParams, trendsAtOnce, trendsQuery } from '../../api/explore.ts'
import { ClicksLine } from '../../widgets/analytics/ClicksLine.tsx'

/** Groupings whose rows have a trend. */
const traced = new Set<Grouping>(['query', 'page', 'country', 'device', 'search_appearance'])
export const hasTrend = (by: Grouping): boolean => traced.has(by)

/** Rows that are scrolled past sooner don't ask. */
const stayMillis = 150

type RowTrendProps = { params: ExploreParams; name: string; /** Its place among all rows. */ at: number }

/**
 * A row's clicks over time. The rows around it are asked for together, once they are on screen, so that the table needn't wait. The table
 * renders with every key and scroll; a line of 16 months has 486 points, so it is drawn once.
 */
export const RowTrend = memo(function RowTrend({ params, name, at }: RowTrendProps) {
  const [stays, setStays] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), stayMillis)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({ ...trendsQuery(params, Math.floor(at / trendsAtOnce)), enabled: stays })
  const trend = data?.rows.find((row) => row.name === name)?.trend
  return data?.trendDays && trend ? <ClicksLine days={data.trendDays} trend={trend} /> : null
})
