import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { auditLog, auditQuery } from '../../contract/audit.ts'
import type { AuditLogOf } from './audit-log.ts'
import type { Person } from './service.ts'

export type AuditRoutesDeps = { audit: AuditLogOf; requirePerson(request: FastifyRequest): Promise<Person> }

/** `GET /api/audit-log`: what happened to the account of who asks, and to no other. */
export const auditRoutes =
  ({ audit, requirePerson }: AuditRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/audit-log', { schema: { querystring: auditQuery, response: { 200: auditLog } } }, async (request) =>
      audit.page((await requirePerson(request)).id, request.query.before),
    )
  }
