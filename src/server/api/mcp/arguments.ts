import { z } from 'zod'
import { isoDate } from '../../../contract/common.ts'
import { namedComparisons, ranges } from '../../../contract/range.ts'

/** Tool arguments, described for whoever fills them in. */

export const propertyArgument = z
  .string()
  .min(1)
  .max(2048)
  .optional()
  .describe(
    'The site: a name from list_sites (`sc-domain:example.com`, `https://example.com/`) or its host (`example.com`). Defaults to the site selected in the app.',
  )

export const daysArgument = z
  .literal(ranges, { error: `days must be ${ranges.join(', ')}` })
  .default(28)
  .describe('Length of the period in days, ending with the last complete day.')

export const compareArgument = z
  .enum(namedComparisons)
  .default('previous')
  .describe('Comparison period: `previous` (as many days just before), `year` (the same weekdays a year earlier) or `none`.')

export const periodArguments = { property: propertyArgument, days: daysArgument, compare: compareArgument }

export const searchArgument = z.string().trim().min(1).max(200).optional()

export const limitArgument = (usual: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(50, 'The limit is 50 rows. Narrow the request, or use the API for full lists')
    .default(usual)
    .describe('Maximum number of rows.')

export const dayArgument = isoDate.describe('A day as YYYY-MM-DD, in Google’s time zone (Pacific).')

export const segmentArgument = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .optional()
  .describe('Only rows in this saved segment, a named set of filters. An unknown name returns an error listing them.')
