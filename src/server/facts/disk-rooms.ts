import { statfs } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askWith } from './question.ts'

/** What a file system has, in bytes. */
type DiskRoom = { free: number; total: number }

/** The last part of a disk is for what must go on: PostgreSQL, whose changes stop without room for its log, syncs and merges. */
const kept = { share: 0.05, bytes: 4 * 1024 ** 3 }

/** How much of it may be used for what can wait; negative if it is nearly full. */
export const spareRoom = ({ free, total }: DiskRoom): number => free - Math.min(kept.bytes, total * kept.share)

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
