/** Runs one statement on the jobs' database. */
export type Execute = (sql: string, values: unknown[]) => Promise<{ rows: unknown[] }>

/** What one group has in a queue. */
export type Line = {
  group: string
  /** The turn its next job gets: one after its last one, and none that has passed. */
  turn: number
  /** How many of its jobs wait or run. */
  jobs: number
}

type LineOptions = {
  urgent?: boolean
  /** A job that is about to end and no longer counts. */
  ending?: string | null
}

/**
 * Jobs of a queue are taken in the order of their turns (docs/decisions/0032). A group's jobs have one turn each, one
 * after the other, beginning at the turn the queue is at: so each group gets a job taken before any gets its next one,
 * whoever has how many. A turn is the job's priority with its sign changed, so taking a job stays one look into an index.
 */
export function createTurns(execute: Execute, schema: string) {
  const open = `name = $1 AND state <= 'active'`
  const waiting = `name = $1 AND state < 'active' AND NOT blocked AND start_after <= now()`

  return {
    /**
     * What each of these groups has in line. Urgent jobs have turns of their own: they go before what else their group
     * has, and get no more of the queue than one of each group at a time.
     */
    async lines(name: string, groups: readonly string[], { urgent = false, ending = null }: LineOptions = {}): Promise<Line[]> {
      const { rows } = await execute(
        `WITH head AS (SELECT coalesce((SELECT -priority FROM ${schema}.job WHERE ${waiting} ORDER BY priority DESC LIMIT 1), 0) AS turn)
        SELECT asked.id AS "group", greatest(head.turn, coalesce(own.last + 1, head.turn)) AS turn, coalesce(own.jobs, 0)::int AS jobs
        FROM unnest($2::text[]) AS asked (id) CROSS JOIN head LEFT JOIN (
          SELECT group_id, max(-priority) FILTER (WHERE state < 'active' AND (group_tier IS NOT NULL) = $3) AS last, count(*) AS jobs
          FROM ${schema}.job WHERE ${open} AND group_id = ANY ($2) AND id IS DISTINCT FROM $4::uuid GROUP BY group_id
        ) AS own ON own.group_id = asked.id`,
        [name, [...groups], urgent, ending],
      )
      return rows as Line[]
    },

    /** Keys of jobs of these groups that wait or run. */
    async keys(name: string, groups: readonly string[], { ending = null }: LineOptions = {}): Promise<Set<string>> {
      const { rows } = await execute(
        `SELECT singleton_key AS key FROM ${schema}.job
        WHERE ${open} AND group_id = ANY ($2) AND id IS DISTINCT FROM $3::uuid AND singleton_key IS NOT NULL`,
        [name, [...groups], ending],
      )
      return new Set((rows as { key: string }[]).map(({ key }) => key))
    },

    /** Gives the waiting job of a key an urgent turn, if that is an earlier one. */
    async hasten(name: string, key: string, turn: number): Promise<void> {
      await execute(
        `UPDATE ${schema}.job SET priority = $3, group_tier = 'urgent'
        WHERE name = $1 AND coalesce(singleton_key, '') = $2 AND state = 'created' AND priority < $3`,
        [name, key, -turn],
      )
    },

    /** Whether a job of another group is among the next to be taken. */
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

/** A newcomer has the turn the queue is at, at which every other group has one job, or two with an urgent one. */
const nextFew = 8

/** Finds what a group has in a queue, however much others have. */
export const turnsIndex = (schema: string): string =>
  `CREATE INDEX IF NOT EXISTS job_open_of_group ON ${schema}.job_common (name, group_id) WHERE state <= 'active' AND group_id IS NOT NULL`
