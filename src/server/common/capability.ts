import type { FastifyPluginAsync } from 'fastify'
import type { ExportSection } from './export-file.ts'

/** What a capability adds to the server. */
export type Capability = {
  routes: readonly FastifyPluginAsync[]
  /** Starts its background work in this process. */
  work?: () => Promise<void>
  /** What it adds to an account's export (`GET /api/user/export`). */
  exported?: readonly ExportSection[]
}
