import { z } from 'zod'
import { type AuditEvent, type AuditLog, auditDays, auditedChange, auditPageSize } from '../../../contract/audit.ts'
import type { Db } from '../../database/open.ts'
import type { Clock } from '../../platform/clock.ts'

const columns = ['id', 'at', 'kind', 'actor', 'address', 'agent', 'details'] as const
const dayMs = 86_400_000
const byKey = z.object({ byKey: z.string().optional() })

type Row = { id: number; at: Date; kind: string; actor: AuditEvent['by']; address: string | null; agent: string | null; details: unknown }

/** What happened to accounts, for their owners. */
export function createAuditLog({ db, clock }: { db: Db; clock: Clock }) {
  const ofPerson = (userId: string) => db.selectFrom('auditEvents').where('userId', '=', userId).select(columns).orderBy('id', 'desc')

  return {
    /** The latest first. @param before the id of an event that is told already */
    async page(userId: string, before?: string): Promise<AuditLog> {
      const upTo = before === undefined ? ofPerson(userId) : ofPerson(userId).where('id', '<', Number(before))
      const rows = await upTo.limit(auditPageSize + 1).execute()
      const shown = rows.slice(0, auditPageSize)
      const last = shown.at(-1)
      return { events: shown.flatMap(toEvent), next: rows.length > shown.length && last ? String(last.id) : null }
    },

    all: async (userId: string): Promise<AuditEvent[]> => (await ofPerson(userId).execute()).flatMap(toEvent),

    /** Deletes what is too old to be kept; answers how many. */
    async sweep(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auditEvents')
        .where('at', '<', new Date(clock.now().getTime() - auditDays * dayMs))
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
export type AuditLogOf = ReturnType<typeof createAuditLog>

/** None for a kind that only a newer version knows, which may run beside this one. */
function toEvent({ id, at, kind, actor, address, agent, details }: Row): AuditEvent[] {
  const change = auditedChange.safeParse({ kind, details })
  if (!change.success) return []
  const key = byKey.safeParse(details).data?.byKey ?? null
  return [{ id: String(id), at: at.toISOString(), by: actor, key, address, userAgent: agent, change: change.data }]
}
