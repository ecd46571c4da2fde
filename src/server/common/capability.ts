import type { FastifyPluginAsync } from 'fastify'
import type { ExportSection } from './export-file.ts'

/** What a capability adds to the server. */
export type Capability = {
  routes: readonly FastifyPluginAsync[]
  /** Runs in this process what does not come by request. */
  work?: () => Promise<void>
  /** What an account's export holds of it (`GET /api/user/export`). */
  exported?: readonly ExportSection[]
}
