import { z } from 'zod'
import { comparison, ranges } from '../../../contract/analytics.ts'
import { isoDate } from '../../../contract/common.ts'

/** What tools are asked with, described for whoever fills it in. */

export const propertyArgument = z
  .string()
  .min(1)
  .max(2048)
  .optional()
  .describe(
    'The site: a name as list_sites gives it (`sc-domain:example.com`, `https://example.com/`) or its host (`example.com`). Without it: the site that is selected in the app.',
  )

export const daysArgument = z
  .literal(ranges, { error: `days has to be ${ranges.join(', ')}` })
  .default(28)
  .describe('How many days, ending with the last complete one.')

export const compareArgument = comparison
  .default('previous')
  .describe('What it is compared with: `previous`, the same number of days just before; `year`, the same weekdays a year earlier; `none`.')

export const periodArguments = { property: propertyArgument, days: daysArgument, compare: compareArgument }

export const searchArgument = z.string().trim().min(1).max(200).optional()

export const limitArgument = (usual: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(50, 'At most 50 rows are answered; narrow the question, or use the API for whole lists')
    .default(usual)
    .describe('How many rows at most.')

export const dayArgument = isoDate.describe('A day as YYYY-MM-DD, in Google’s time zone (Pacific).')
