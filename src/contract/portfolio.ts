import { z } from 'zod'
import { severity } from './alerts/alerts.ts'
import { endpoint } from './endpoint.ts'
import { metrics } from './metrics.ts'
import { syncStatus } from './sync.ts'
import { property } from './user.ts'

/** What people file their properties under; capital letters make no other tag. */
export const siteTag = z
  .string()
  .trim()
  .min(1, 'Enter a tag')
  .max(30, 'A tag can have up to 30 characters')
  .regex(/^\P{Cc}*$/u, 'A tag can’t contain line breaks or other control characters')
export const mostTags = 10

/** All tags that a property has from now on. */
export const siteTags = z.object({
  property: z.string().min(1).max(2048),
  tags: z
    .array(siteTag)
    .max(mostTags, `A property can have up to ${mostTags} tags`)
    .refine((tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length, 'This property already has that tag'),
})

/** One property, monitored or not, as the metric cards, the alerts and the sync tell it. */
export const site = property.extend({
  tags: z.array(z.string()),
  /** As `GET /api/metrics` answers; null while no complete day is stored. */
  metrics: metrics
    .pick({
      clicks: true,
      clicksPrevious: true,
      clicksData: true,
      impressions: true,
      impressionsPrevious: true,
      ctr: true,
      ctrPrevious: true,
      position: true,
      positionPrevious: true,
      dates: true,
      current: true,
      previous: true,
    })
    .nullable(),
  /** Open alerts, and the severity of the worst; null where there are none. */
  alerts: z.object({ open: z.number().int(), worst: severity }).nullable(),
  sync: syncStatus.omit({ property: true }),
})
export type Site = z.infer<typeof site>

const path = '/api/sites'
/** All properties of an account in one list, and what they are filed under. */
export const portfolioEndpoints = {
  list: endpoint({ method: 'GET', path, access: 'session', answer: z.array(site) }),
  tag: endpoint({ method: 'PUT', path: `${path}/tags`, access: 'session', body: siteTags, answer: siteTags }),
}
