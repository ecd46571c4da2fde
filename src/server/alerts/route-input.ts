import { z } from 'zod'

/** Ids count up; whatever is no number is of nobody. */
export const byId = z.object({ id: z.string().regex(/^\d{1,15}$/, "This isn't a valid ID") })
