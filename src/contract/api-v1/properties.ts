import type { z } from 'zod'
import { withKey } from '../endpoint.ts'
import { syncStatus } from '../sync.ts'
import { property } from '../user.ts'
import { apiBase, pageQuery, partOf } from './common.ts'

/** A property; `sync` tells how fresh its figures are, null if it isn't monitored. */
const apiProperty = property
  .pick({ name: true, kind: true, monitored: true, paused: true })
  .extend({ sync: syncStatus.omit({ property: true, action: true }).nullable() })
export type ApiProperty = z.infer<typeof apiProperty>
export const apiProperties = partOf(apiProperty)

export const apiPropertyEndpoints = {
  listProperties: withKey.get(`${apiBase}/properties`, { isLong: 'names', query: pageQuery, answer: apiProperties }),
}
