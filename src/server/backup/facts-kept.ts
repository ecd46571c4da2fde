import type pg from 'pg'
import type { FactsStore } from '../facts/store.ts'
import { lockNumber, withoutLimits } from '../platform/postgres.ts'
import { BackupProblem } from './problem.ts'

const deletingKey = lockNumber("'facts are deleted'")
const backupKey = lockNumber("'a backup is made'")
/** A server that limits long transactions must not end one that holds a lock for a long time. */
const patient = `${withoutLimits}; SET LOCAL idle_in_transaction_session_timeout = 0`

/** While a backup is made, no process deletes facts: deletions wait until it ends. */
export function keptDuringBackups(facts: FactsStore, pool: pg.Pool): FactsStore {
  const deleting = async <T>(work: () => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      await client.query(`BEGIN; ${patient}; SELECT pg_advisory_xact_lock_shared(${deletingKey})`)
      return await work()
    } finally {
      // The lock ends with the connection, whatever its state.
      client.release(true)
    }
  }
  return {
    ...facts,
    sweep: (before) => deleting(() => facts.sweep(before)),
    forgetHours: (before) => deleting(() => facts.forgetHours(before)),
    drop: (properties) => deleting(() => facts.drop(properties)),
  }
}

/** `stillHeld` throws if the connection, and with it the lock, was lost meanwhile. */
export type FactsHeld = { stillHeld(): Promise<void>; release(): void }

/** Waits for running deletions and blocks new ones. @throws BackupProblem if another backup is being made */
export async function holdFacts(pool: pg.Pool): Promise<FactsHeld> {
  const client = await pool.connect()
  try {
    await client.query(`BEGIN; ${patient}`)
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_xact_lock(${backupKey}) AS mine`)
    if (rows[0]?.mine !== true) throw new BackupProblem('Another backup is in progress; try again when it is done')
    await client.query(`SELECT pg_advisory_xact_lock(${deletingKey})`)
  } catch (error) {
    client.release(true)
    throw error
  }
  return { stillHeld: async () => void (await client.query('SELECT 1')), release: () => client.release(true) }
}
