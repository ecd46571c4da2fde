import path from 'node:path'
import { z } from 'zod'
import { lastingShape } from '../../lib/faults.ts'
import { PERMISSIONS } from '../accounts.ts'
import { DEVICES } from '../figures/cells.ts'
import { parseDay } from '../dates.ts'
import { FAULT_NAMES } from './faults.ts'

/** Shapes of the control API's input; README.md says what each does. */
const isoDate = z.string().refine((text) => parseDay(text) !== undefined, 'not a date')
const count = z.number().int().nonnegative()
const searchType = z.enum(['web', 'image', 'video', 'news', 'discover', 'googleNews'])
const type = searchType.default('web')
const kind = z.enum(['authorize', 'token', 'revoke', 'certs', 'sites', 'query', 'status', 'unknown'])
const profile = z.enum(['shop', 'blog', 'local', 'large', 'empty'])

export const todayInput = z.object({ today: z.string().nullable() })

export const tokensInput = z.object({ account: z.string().optional() })

export const failInput = z.object({
  ...lastingShape,
  error: z.enum(FAULT_NAMES),
  kind: kind.optional(),
  site: z.string().optional(),
  dims: z.array(z.string()).optional(),
  type: searchType.optional(),
  laterPages: z.boolean().optional(),
  retryAfter: count.optional(),
})

export const delayInput = z.object({ ms: count, kind: kind.optional() })

/** What the dashboard's feed returns instead of its own list. `spaces`: how many precede the body, to make it large. */
export const dashboardInput = z
  .object({
    status: z.number().int().default(200),
    location: z.string().optional(),
    body: z.string().default(''),
    spaces: count.default(0),
  })
  .nullable()

export const lateInput = z.object({ site: z.string(), days: count.nullable() })

export const reviseInput = z
  .object({ site: z.string(), date: isoDate, type, factor: z.number().nonnegative().optional(), rows: count.optional() })
  .refine((input) => input.factor === undefined || input.rows === undefined, 'factor or rows, not both')

const literalRow = z.object({
  query: z.string().optional(),
  page: z.string(),
  clicks: count,
  impressions: count,
  position: z.number().nonnegative(),
  country: z.string().optional(),
  device: z.enum(DEVICES).optional(),
})

const instant = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'not a time')
export const hoursInput = z.object({
  site: z.string(),
  type,
  changes: z.array(
    z.object({
      from: instant,
      until: instant.optional(),
      factor: z.number().nonnegative(),
      final: z.enum(['confirms', 'withdraws']).default('confirms'),
    }),
  ),
})

export const overrideInput = z.object({
  site: z.string(),
  date: isoDate,
  until: isoDate.optional(),
  type,
  rows: z.array(literalRow).nullable(),
})

export const permissionInput = z.object({ account: z.string(), site: z.string(), permission: z.enum(PERMISSIONS).nullable() })

export const accountInput = z.object({ email: z.string().min(3), name: z.string().optional(), consumer: z.boolean().default(false) })

export const siteInput = z.object({
  account: z.string(),
  site: z.string().refine((site) => site.startsWith('sc-domain:') || URL.canParse(site), 'neither sc-domain: nor an address'),
  permission: z.enum(PERMISSIONS).default('siteOwner'),
  profile: profile.default('local'),
  seed: z.number().int().optional(),
})

export const quotasInput = z
  .object({
    querySiteMinute: count,
    queryUserMinute: count,
    queryProjectMinute: count,
    otherUserSecond: count,
    otherUserMinute: count,
    answer: z.enum(['403', '429']),
  })
  .partial()

export const grantInput = z.object({ account: z.string(), scopes: z.array(z.string()).optional() })

export const resetInput = z.object({ keepTokens: z.boolean().default(false) })

export const bulkInput = z.object({
  site: z.string(),
  start: isoDate,
  end: isoDate,
  directory: z.string().refine((directory) => path.isAbsolute(directory), 'not an absolute path'),
  format: z.enum(['csv', 'json']).default('csv'),
  gzip: z.boolean().default(false),
  shards: z.number().int().min(1).max(100).default(1),
  rowsADay: z.number().int().positive().nullable().default(null),
})

export const totalsInput = z.object({
  site: z.string(),
  start: isoDate,
  end: isoDate,
  dims: z.string().default('date'),
  type,
  dataState: z.enum(['final', 'all', 'hourly_all']).default('final'),
})
