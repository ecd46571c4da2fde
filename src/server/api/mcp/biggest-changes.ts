import { z } from 'zod'
import { comparedFigures } from '../../../contract/figures.ts'
import { comparedPeriod, lastDays } from '../../../core/analytics/periods.ts'
import type { ApiServices } from '../operation.ts'
import { limitArgument, periodArguments } from './arguments.ts'
import { type ComparedDays, comparedText, figuresText, fitting, numbered, paragraphs, quoted } from './copy.ts'
import { dataContext, type DataContexts, contextText } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'
import { counted } from '../../../core/words.ts'

export const moved = z.array(comparedFigures.extend({ name: z.string() }))

export const biggestChangesTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'biggest_changes',
    title: 'What gained and lost clicks?',
    description:
      'The keywords or pages that gained and lost the most clicks compared with the comparison period, biggest change first, including new and lost ones.',
    scope: 'read',
    input: z.object({
      ...periodArguments,
      compare: z
        .enum(['previous', 'year'])
        .default('previous')
        .describe('`previous`: the same number of days just before. `year`: the same weekdays a year earlier.'),
      of: z.enum(['keywords', 'pages']).default('keywords'),
      limit: limitArgument(10),
    }),
    output: dataContext.extend({ of: z.enum(['keywords', 'pages']), rising: moved, falling: moved }),
    async run(person, { property: name, of, days, compare, limit }) {
      const site = await contexts.siteOf(person, name)
      const current = lastDays(site.property.completeThrough, days)
      const previous = comparedPeriod(current, days, compare) ?? current
      const grain = of === 'pages' ? 'page' : 'query'
      const [about, found] = await Promise.all([
        contexts.ofPeriod(site, { days, compare }, grain, of === 'pages' ? ['page'] : ['unnamed', 'query']),
        analytics.moved.between(site.property, { of: grain, current, previous, limit }),
      ])
      return { ...about.dataContext, of, rising: fitting(found.rising), falling: fitting(found.falling) }
    },
    text: ({ of, rising, falling, ...rest }) =>
      paragraphs(rest.comparedWith === null && 'There’s nothing to compare.', ...movedText(of, rising, falling, rest), contextText(rest)),
  })

type Rows = z.infer<typeof moved>

export const movedText = (of: 'keywords' | 'pages', rising: Rows, falling: Rows, days: ComparedDays): string[] => [
  `${rising.length === 0 ? `No ${of} gained clicks.` : `Gained the most clicks:\n${linesOf(rising, days)}`}`,
  `${falling.length === 0 ? `No ${of} lost clicks.` : `Lost the most clicks:\n${linesOf(falling, days)}`}`,
]

const linesOf = (rows: Rows, days: ComparedDays): string =>
  numbered(
    rows.map(({ name, ...row }) => {
      const gained = row.clicks - (row.previous?.clicks ?? 0)
      const sign = gained < 0 ? '−' : '+'
      const figures = row.previous === null ? `${figuresText(row)}, not shown before` : comparedText(row, days)
      return `${quoted(name)}: ${sign}${counted(Math.abs(gained), 'click')}; ${figures}`
    }),
  )
