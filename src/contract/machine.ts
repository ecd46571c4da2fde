import { z } from 'zod'
import { cleanedText, trimmed } from './common.ts'
import { endpoint } from './endpoint.ts'
import { planId } from './user.ts'

/** The person (username or email address) and the plan to grant; `free` revokes a grant. */
export const grantAsked = z.object({ person: cleanedText(320, trimmed).min(1), plan: planId })
export type GrantAsked = z.infer<typeof grantAsked>

/** The person whose second factor to reset. */
export const personAsked = z.object({ person: cleanedText(320, trimmed).min(1) })

const said = z.object({ message: z.string() })

/** What this machine's commands let a running server do; proxies forward nothing below `/api/internal`. */
export const machineEndpoints = {
  /** Where a server proves that it wrote the note (platform/command-handshake.ts). */
  handOver: endpoint({
    method: 'GET',
    path: '/api/internal/hand-over',
    access: 'machine',
    answer: z.object({ proof: z.string() }),
  }),
  /** `npm run backup`: the archive, sent while it is created. */
  backup: endpoint({ method: 'POST', path: '/api/internal/backup', access: 'machine', answer: 'file' }),
  /** `npm run grant` */
  grant: endpoint({ method: 'POST', path: '/api/internal/grant', access: 'machine', body: grantAsked, answer: said }),
  /** `npm run two-factor:reset` */
  resetTwoFactor: endpoint({ method: 'POST', path: '/api/internal/two-factor-reset', access: 'machine', body: personAsked, answer: said }),
  /** `npm run demo:reset` */
  resetDemo: endpoint({ method: 'POST', path: '/api/internal/demo-reset', access: 'machine' }),
}
