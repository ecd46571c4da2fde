import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { memo, useEffect, useState } from 'react'
import { type Trends, trendsAtOnce } from '../../api/explore.ts'
import type { DataColumn } from '../table/columns.ts'
import { ClicksLine } from './ClicksLine.tsx'

/** Rows that are scrolled past sooner don't ask. */
const stayMillis = 150

type RowTrendProps = {
  /** The rows around this one are asked for together. Keeps its identity until the list changes. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the key of any list
  ask: (part: number) => UseQueryOptions<Trends, Error, Trends, any>
  name: string
  /** Its place among all rows. */
  at: number
}

/**
 * A row's clicks over time. The rows around it are asked for together, once they are on screen, so that the table needn't wait. The table
 * renders with every key and scroll; a line of 16 months has 486 points, so it is drawn once.
 */
const RowTrend = memo(function RowTrend({ ask, name, at }: RowTrendProps) {
  const [stays, setStays] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), stayMillis)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({ ...ask(Math.floor(at / trendsAtOnce)), enabled: stays })
  const trend = data?.of.get(name)
  return data && trend ? <ClicksLine days={data.days} trend={trend} /> : null
})

/** The column of these lines; `rows` in the server's order. */
export function trendColumn<Row>(
  ask: RowTrendProps['ask'],
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  look: Pick<DataColumn<Row>, 'label' | 'narrow'> = { label: 'Clicks over time', narrow: 88 },
): DataColumn<Row> {
  const places = new Map(rows.map((row, at) => [row, at]))
  return {
    id: 'trend',
    name: 'Clicks over time',
    width: 136,
    ...look,
    align: 'left',
    cell: (row) => <RowTrend ask={ask} name={nameOf(row)} at={places.get(row) ?? 0} />,
  }
}
