import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { DiskRoom } from '../platform/disk-room.ts'
import { askWith } from './question.ts'

const row = z.object({ free: z.number(), total: z.number() })

/** The disks of the store's own machine; others, such as an object store, don't fill up. */
export const diskRooms = (client: ClickHouseClient): Promise<DiskRoom[]> =>
  askWith(client, {
    sql: `SELECT toFloat64(free_space) AS free, toFloat64(total_space) AS total FROM system.disks WHERE type = 'Local'`,
    row,
    params: {},
  })
