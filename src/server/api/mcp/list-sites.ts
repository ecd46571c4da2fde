import { z } from 'zod'
import { isoDate } from '../../../contract/common.ts'
import { connectionState } from '../../../contract/sync.ts'
import type { ApiServices } from '../operation.ts'
import { counted } from '../../../core/words.ts'
import { fitting, numbered, paragraphs } from './copy.ts'
import { type McpTool, tool } from './tool.ts'

const site = z.object({
  property: z.string(),
  kind: z.enum(['google', 'imported']),
  monitored: z.boolean().describe('Whether the site is synced and its alert rules are evaluated.'),
  selected: z.boolean().describe('The default when no property is given.'),
  state: connectionState,
  problem: z.string().nullable().describe('Why the site is not syncing, and what to do.'),
  completeThrough: isoDate.nullable().describe('The last day with final data; null if none is stored.'),
  firstDay: isoDate.nullable(),
  lastSyncedAt: z.iso.datetime().nullable(),
  openAlerts: z.number(),
})
type Site = z.infer<typeof site>

export const listSitesTool = ({ sites, sync, alerts }: ApiServices): McpTool =>
  tool({
    name: 'list_sites',
    title: 'Which sites do I have?',
    description:
      'Lists the Search Console properties in this account with the last day of complete data, the last sync, any sync problem, and the number of open alerts.',
    scope: 'read',
    input: z.object({}),
    output: z.object({ sites: z.array(site), total: z.number() }),
    async run(person) {
      const [listed, statuses] = await Promise.all([sites.list(person.id), sync.statuses(person.id)])
      const open = await alerts.openCounts(listed.filter(({ monitored }) => monitored).map(({ id }) => Number(id)))
      const statusOf = new Map(statuses.map((status) => [status.property, status]))
      const all = listed
        .toSorted((a, b) => Number(b.monitored) - Number(a.monitored))
        .map(({ id, name, kind, monitored }): Site => {
          const status = statusOf.get(name)
          return {
            property: name,
            kind,
            monitored,
            selected: person.selected?.name === name,
            state: status?.state ?? 'never',
            problem: status?.message ?? null,
            completeThrough: status?.completeThrough ?? null,
            firstDay: status?.firstDate ?? null,
            lastSyncedAt: status?.lastSyncedAt ?? null,
            openAlerts: open.get(Number(id)) ?? 0,
          }
        })
      return { sites: fitting(all), total: all.length }
    },
    text: ({ sites: listed, total }) =>
      paragraphs(
        total === 0 ? 'This account has no sites. Connect Google Search Console in the app.' : `${counted(total, 'site')}:`,
        numbered(listed.map(line)),
        listed.length < total && `Only the first ${listed.length} are shown.`,
      ),
  })

function line({ property, monitored, selected, problem, completeThrough, firstDay, lastSyncedAt, openAlerts }: Site): string {
  const fresh = completeThrough
    ? `data from ${firstDay ?? 'the first import'} through ${completeThrough}${lastSyncedAt ? `, last synced ${lastSyncedAt.slice(0, 16).replace('T', ' ')} UTC` : ''}`
    : 'no data yet'
  const notes = [selected && 'selected', !monitored && 'not monitored', openAlerts > 0 && counted(openAlerts, 'open alert')].filter(Boolean)
  return `${property}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${fresh}.${problem ? ` ${problem}` : ''}`
}
