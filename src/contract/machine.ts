import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { planId } from './user.ts'

/** Whom (by username or email address) to give which plan; `free` takes back what was given. */
export const grantAsked = z.object({ person: z.string().trim().min(1).max(320), plan: planId })
export type GrantAsked = z.infer<typeof grantAsked>

/** Whose second factor is reset. */
export const personAsked = z.object({ person: z.string().trim().min(1).max(320) })

const said = z.object({ message: z.string() })

/** What commands of this machine have the server do while it runs; no proxy forwards what is below `/api/internal`. */
export const machineEndpoints = {
  /** Where a server shows that it is the one that wrote the note (platform/hand-over.ts). */
  handOver: endpoint({
    method: 'GET',
    path: '/api/internal/hand-over',
    access: 'machine',
    answer: z.object({ proof: z.string() }),
  }),
  /** `npm run backup`: the archive, as it is being made. */
  backup: endpoint({ method: 'POST', path: '/api/internal/backup', access: 'machine', answer: 'file' }),
  /** `npm run grant` */
  grant: endpoint({ method: 'POST', path: '/api/internal/grant', access: 'machine', body: grantAsked, answer: said }),
  /** `npm run two-factor:reset` */
  resetTwoFactor: endpoint({ method: 'POST', path: '/api/internal/two-factor-reset', access: 'machine', body: personAsked, answer: said }),
  /** `npm run demo:reset` */
  resetDemo: endpoint({ method: 'POST', path: '/api/internal/demo-reset', access: 'machine' }),
}
