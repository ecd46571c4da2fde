import { z } from 'zod'
import { cleanedText, trimmed } from './common.ts'
import { severity } from './alerts/alerts.ts'
import { signedIn } from './endpoint.ts'
import { metrics } from './metrics.ts'
import { syncStatus } from './sync.ts'
import { property } from './user.ts'

/** A person's label for properties; case doesn't distinguish tags. */
export const siteTag = cleanedText(30, trimmed, 'A tag can have up to 30 characters')
  .min(1, 'Enter a tag')
  .regex(/^\P{Cc}*$/u, 'A tag can’t contain line breaks or other control characters')
export const mostTags = 10

/** Replaces all of a property's tags. */
export const siteTags = z.object({
  property: z.string().min(1).max(2048),
  tags: z
    .array(siteTag)
    .max(mostTags, `A property can have up to ${mostTags} tags`)
    .refine((tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length, 'This property already has that tag'),
})

/** One property, monitored or not, with data from the metric cards, alerts and sync. */
export const site = property.extend({
  tags: z.array(z.string()),
  /** As returned by `GET /api/metrics`; null while no complete day is stored. */
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
  /** Number of open alerts, and the worst severity; null if there are none. */
  alerts: z.object({ open: z.number().int(), worst: severity }).nullable(),
  sync: syncStatus.omit({ property: true }),
})
export type Site = z.infer<typeof site>

const path = '/api/sites'
/** All of an account's properties in one list, with their tags. */
export const portfolioEndpoints = {
  list: signedIn.get(path, { isLong: 'names', answer: z.array(site) }),
  tag: signedIn.put(`${path}/tags`, { body: siteTags, answer: siteTags }),
}
