/** Runs one statement on the job database. */
export type Execute = (sql: string, values: unknown[]) => Promise<{ rows: unknown[] }>

/** A group's jobs in a queue. */
export type GroupJobs = {
  group: string
  /** The next job's turn: after the group's last one, and not in the past. */
  turn: number
  /** How many of its jobs wait or run. */
  jobs: number
}

type OrderOptions = {
  urgent?: boolean
  /** A job that is about to end and no longer counts. */
  ending?: string | null
}

/**
 * A queue's jobs run in the order of their turns (docs/decisions/0032). A group's jobs have consecutive turns, starting at the queue's
 * current one: so each group gets a job run before any gets its next, however many each has. A turn is the job's negated priority, so
 * taking a job remains a single index lookup.
 */
export function createQueueOrder(execute: Execute, schema: string) {
  const open = `name = $1 AND state <= 'active'`
  const waiting = `name = $1 AND state < 'active' AND NOT blocked AND start_after <= now()`

  return {
    /**
     * How many jobs each of these groups has waiting or running, and its next turn. Urgent jobs have their own turns: they go before their
     * group's other jobs, and get no more of the queue than one per group at a time.
     */
    async jobsOf(name: string, groups: readonly string[], { urgent = false, ending = null }: OrderOptions = {}): Promise<GroupJobs[]> {
      const { rows } = await execute(
        `WITH head AS (SELECT coalesce((SELECT -priority FROM ${schema}.job WHERE ${waiting} ORDER BY priority DESC LIMIT 1), 0) AS turn)
        SELECT asked.id AS "group", greatest(head.turn, coalesce(own.last + 1, head.turn)) AS turn, coalesce(own.jobs, 0)::int AS jobs
        FROM unnest($2::text[]) AS asked (id) CROSS JOIN head LEFT JOIN (
          SELECT group_id, max(-priority) FILTER (WHERE state < 'active' AND (group_tier IS NOT NULL) = $3) AS last, count(*) AS jobs
          FROM ${schema}.job WHERE ${open} AND group_id = ANY ($2) AND id IS DISTINCT FROM $4::uuid GROUP BY group_id
        ) AS own ON own.group_id = asked.id`,
        [name, [...groups], urgent, ending],
      )
      return rows as GroupJobs[]
    },

    /** Keys of these groups' waiting or running jobs. */
    async keys(name: string, groups: readonly string[], { ending = null }: OrderOptions = {}): Promise<Set<string>> {
      const { rows } = await execute(
        `SELECT singleton_key AS key FROM ${schema}.job
        WHERE ${open} AND group_id = ANY ($2) AND id IS DISTINCT FROM $3::uuid AND singleton_key IS NOT NULL`,
        [name, [...groups], ending],
      )
      return new Set((rows as { key: string }[]).map(({ key }) => key))
    },

    /** Moves a key's waiting job to an urgent turn, if that is earlier. */
    async hasten(name: string, key: string, turn: number): Promise<void> {
      await execute(
        `UPDATE ${schema}.job SET priority = $3, group_tier = 'urgent'
        WHERE name = $1 AND coalesce(singleton_key, '') = $2 AND state = 'created' AND priority < $3`,
        [name, key, -turn],
      )
    },

    /** Whether another group's job is among the next to run. */
    async othersWait(name: string, group: string): Promise<boolean> {
      const { rows } = await execute(
        `SELECT 1 FROM (SELECT group_id FROM ${schema}.job WHERE ${waiting} ORDER BY priority DESC, created_on LIMIT ${nextFew}) AS next
        WHERE group_id IS DISTINCT FROM $2 LIMIT 1`,
        [name, group],
      )
      return rows.length > 0
    },
  }
}

/** A newcomer gets the queue's current turn, where every other group has one job, or two with an urgent one. */
const nextFew = 8

/** Finds a group's jobs in a queue, however many others there are. */
export const queueOrderIndex = (schema: string): string =>
  `CREATE INDEX IF NOT EXISTS job_open_of_group ON ${schema}.job_common (name, group_id) WHERE state <= 'active' AND group_id IS NOT NULL`
