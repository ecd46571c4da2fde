import type { FastifyPluginAsync } from 'fastify'
import { auditEndpoints } from '../../../contract/audit.ts'
import type { AuditLogOf } from './audit-log.ts'
import { serve } from '../serve.ts'

/** Activity of the requester's account only. */
export const auditRoutes =
  ({ audit }: { audit: AuditLogOf }): FastifyPluginAsync =>
  async (app) => {
    serve(app, auditEndpoints.list, ({ person, query }) => audit.page(person.id, query.before))
  }
