import { readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseFront } from '../test/support/clickhouse-front.ts'
import type { Sql } from '../test/support/stores.ts'
import type { Victim } from './installation.ts'
import type { Service } from './service.ts'

/** One of Ranklark's own processes. */
export const serviceVictim = (name: string, service: Service, weight: number): Victim => ({
  name,
  weight,
  strike: async () => service.kill(),
})

/** Dying five times within a minute is more than the server puts up with: that is for another process to try. */
const fewest = 16_000

/** The process that all others of PostgreSQL come from. */
export function postmasterVictim(pidOf: () => Promise<number>, weight: number): Victim {
  let last = 0
  return {
    name: 'PostgreSQL',
    weight,
    async strike() {
      if (Date.now() - last < fewest) return false
      const pid = await pidOf().catch(() => 0)
      if (!isPostgres(pid)) return false
      last = Date.now()
      return killed(pid)
    },
  }
}

/** One connection's process: PostgreSQL ends all others too, and recovers. */
export const backendVictim = (sql: Sql, weight: number): Victim => ({
  name: 'a PostgreSQL backend',
  weight,
  async strike(dice) {
    const rows = await sql<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY state = 'idle', pid",
    )
    return rows.length > 0 && killed(dice.pick(rows).pid)
  },
})

/** Longest time until whoever looks after a ClickHouse has started it again. */
const awayMs = 2_000

/** The process of ClickHouse: started again after a moment, on what it had stored. */
export function clickhouseVictim(front: ClickHouseFront, weight: number): { victim: Victim; isBack(): Promise<void> } {
  let restart: Promise<void> = Promise.resolve()
  return {
    victim: {
      name: 'ClickHouse',
      weight,
      async strike(dice) {
        await restart
        const wasThere = await front.kill()
        // Without it no server gets ready again, which is what is found then.
        restart = sleep(dice.whole(100, awayMs))
          .then(() => front.startAgain())
          .catch((error: unknown) => process.emitWarning(`ClickHouse did not start again: ${String(error)}`))
        return wasThere
      },
    },
    isBack: () => restart,
  }
}

function killed(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    // It ended just before.
    return false
  }
}

/** A number in a file of a server that is gone may be any other process's by now, our own among them. */
function isPostgres(pid: number): boolean {
  try {
    return pid > 1 && readlinkSync(`/proc/${pid}/exe`).includes('postgres')
  } catch {
    return false
  }
}
