import { statfs } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { reserveOf } from '../platform/disk-reserve.ts'
import type { FactsLayout } from './layout.ts'
import { askWith } from './question.ts'

/** What a file system has, in bytes. */
type DiskRoom = { free: number; total: number }

/** How much of it may be used for what can wait; negative if it is nearly full. */
export const spareRoom = ({ free, total }: DiskRoom): number => free - reserveOf(total)

export async function diskRoomOf(directory: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { free: bavail * bsize, total: blocks * bsize }
}

const row = z.object({ free: z.number(), total: z.number() })

/** The disks of the store's own machine; others, such as an object store, don't fill up. */
export const diskRooms = (client: ClickHouseClient): Promise<DiskRoom[]> =>
  askWith(client, {
    sql: `SELECT toFloat64(free_space) AS free, toFloat64(total_space) AS total FROM system.disks WHERE type = 'Local'`,
    row,
    params: {},
  })

const serverRoom = row.extend({ host: z.string(), disk: z.string() })

/** The same of all servers that have facts. */
export const roomsOfServers = (client: ClickHouseClient, layout: FactsLayout): Promise<z.infer<typeof serverRoom>[]> =>
  askWith(client, {
    sql: `SELECT hostName() AS host, name AS disk, toFloat64(free_space) AS free, toFloat64(total_space) AS total
      FROM ${layout.everywhere('system.disks')} WHERE type = 'Local'`,
    row: serverRoom,
    params: {},
  })
