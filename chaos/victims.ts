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

/** Five deaths within a minute are more than the server tolerates: another process has to test that. */
const fewest = 16_000

/** The parent of all other PostgreSQL processes. */
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

/** Longest time until a ClickHouse supervisor has restarted it. */
const awayMs = 2_000

/** The ClickHouse process: restarted after a moment, with what it had stored. */
export function clickhouseVictim(front: ClickHouseFront, weight: number): { victim: Victim; isBack(): Promise<void> } {
  let restart: Promise<void> = Promise.resolve()
  return {
    victim: {
      name: 'ClickHouse',
      weight,
      async strike(dice) {
        await restart
        const wasThere = await front.kill()
        // No server becomes ready without it, which the checks then find.
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

/** The pid in a dead server's file may be any other process's by now, including our own. */
function isPostgres(pid: number): boolean {
  try {
    return pid > 1 && readlinkSync(`/proc/${pid}/exe`).includes('postgres')
  } catch {
    return false
  }
}
