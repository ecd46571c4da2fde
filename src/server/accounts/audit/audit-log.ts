import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { auditEndpoints, type AuditEvent, type AuditLog, auditDays, auditedChange, auditPageSize } from '../../../contract/audit.ts'
import { changeInBatches } from '../../database/in-batches.ts'
import type { Db } from '../../database/open.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queue } from '../../platform/queue.ts'
import { serve } from '../serve.ts'

const columns = ['id', 'at', 'kind', 'actor', 'address', 'agent', 'details'] as const
const dayMs = 86_400_000
const byKey = z.object({ byKey: z.string().optional() })

/** Events read at once for an export. */
const exportedAtOnce = 500
const deletedAtOnce = 5_000

export type AuditRow = {
  id: number
  at: Date
  kind: string
  actor: AuditEvent['by']
  address: string | null
  agent: string | null
  details: unknown
}

/** Account activity, for each account's owner. */
export function createAuditLog({ db, clock }: { db: Db; clock: Clock }) {
  const ofPerson = (userId: string) => db.selectFrom('auditEvents').where('userId', '=', userId).select(columns).orderBy('id', 'desc')

  return {
    /** Latest first. @param before the id of the last event already shown */
    async page(userId: string, before?: string): Promise<AuditLog> {
      const upTo = before === undefined ? ofPerson(userId) : ofPerson(userId).where('id', '<', Number(before))
      const rows = await upTo.limit(auditPageSize + 1).execute()
      const shown = rows.slice(0, auditPageSize)
      const last = shown.at(-1)
      return { events: shown.flatMap(toEvent), next: rows.length > shown.length && last ? String(last.id) : null }
    },

    /** For exports, in parts, oldest first. */
    rowsAfter: (userId: string, id: number): Promise<AuditRow[]> =>
      db
        .selectFrom('auditEvents')
        .where('userId', '=', userId)
        .where('id', '>', id)
        .select(columns)
        .orderBy('id')
        .limit(exportedAtOnce)
        .execute(),

    /** Deletes expired events; returns how many. */
    sweep: (): Promise<number> => {
      const before = new Date(clock.now().getTime() - auditDays * dayMs)
      return changeInBatches(db, { table: 'audit_events', where: sql`at < ${before}`, atOnce: deletedAtOnce })
    },
  }
}
type AuditLogOf = ReturnType<typeof createAuditLog>

/** Empty for a kind known only to a newer version, which may run next to this one. */
export function toEvent({ id, at, kind, actor, address, agent, details }: AuditRow): AuditEvent[] {
  const change = auditedChange.safeParse({ kind, details })
  if (!change.success) return []
  const key = byKey.safeParse(details).data?.byKey ?? null
  return [{ id: String(id), at: at.toISOString(), by: actor, key, address, userAgent: agent, change: change.data }]
}

/** Activity of the requester's account only. */
export const auditRoutes =
  ({ audit }: { audit: AuditLogOf }): FastifyPluginAsync =>
  async (app) => {
    serve(app, auditEndpoints.list, ({ person, query }) => audit.page(person.id, query.before))
  }

const sweepQueue = 'sweep-audit-log'

/** Deletes expired events every night, in one process at a time. */
export async function workOnAuditSweeps(queue: Queue, audit: AuditLogOf): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive' })
  await queue.work<object>(sweepQueue, {}, async () => void (await audit.sweep()))
  await queue.schedule(sweepQueue, '43 3 * * *', 'UTC')
}
