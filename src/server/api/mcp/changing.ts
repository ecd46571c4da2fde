import { z } from 'zod'
import { alertVerdict } from '../../../contract/alerts/alerts.ts'
import { newNote, note } from '../../../contract/annotations.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ApiServices } from '../operation.ts'
import { alertIdArgument, alertLine, alertRow, alertRowOf } from './alerts.ts'
import { dayArgument } from './arguments.ts'
import { counted } from '../../../core/words.ts'
import { fitting, numbered, paragraphs, quoted } from './copy.ts'
import type { DataContexts } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'

const dayMs = 86_400_000

export const acknowledgeAlertsTool = ({ alerts }: ApiServices): McpTool =>
  tool({
    name: 'acknowledge_alerts',
    title: 'Acknowledge alerts',
    description: 'Marks alerts as being handled. They stay open until the metric recovers. Recovered alerts don’t change.',
    scope: 'write',
    idempotent: true,
    input: z.object({ ids: z.array(alertIdArgument).min(1).max(50) }),
    output: z.object({ alerts: z.array(alertRow) }),
    run: async (person, { ids }) => ({ alerts: fitting((await alerts.acknowledgeAll(person.id, ids)).map(alertRowOf)) }),
    text: ({ alerts: rows }) => paragraphs(`${counted(rows.length, 'alert')}, current state:`, numbered(rows.map(alertLine))),
  })

export const snoozeAlertTool = ({ alerts }: ApiServices, clock: Clock): McpTool =>
  tool({
    name: 'snooze_alert',
    title: 'Snooze an alert',
    description: 'Mutes an alert for a number of days. It reopens after that, unless it has recovered.',
    scope: 'write',
    input: z.object({ id: alertIdArgument, days: z.number().int().min(1).max(365).describe('Number of days from now.') }),
    output: alertRow,
    run: async (person, { id, days }) => alertRowOf(await alerts.snooze(person.id, id, new Date(clock.now().getTime() + days * dayMs))),
    text: alertLine,
  })

export const rateAlertTool = ({ alerts }: ApiServices): McpTool =>
  tool({
    name: 'rate_alert',
    title: 'Rate an alert',
    description:
      'Saves the user’s rating of an alert: `useful` if the change was real, `noise` if not. Ratings improve future alerts. Ask the user first.',
    scope: 'write',
    idempotent: true,
    input: z.object({ id: alertIdArgument, verdict: alertVerdict }),
    output: alertRow,
    run: async (person, { id, verdict }) => alertRowOf(await alerts.rate({ userId: person.id, id: Number(id) }, verdict, 'api')),
    text: alertLine,
  })

export const addNoteTool = ({ annotations }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'add_note',
    title: 'Add a note to a day',
    description:
      'Adds a note to a day, such as a launch or a site change. It appears on charts of that site, or of all sites if none is given, but not in reports sent to others.',
    scope: 'write',
    input: z.object({
      date: dayArgument,
      text: newNote.shape.text.describe('What happened, on one line of up to 200 characters.'),
      property: z.string().min(1).max(2048).optional().describe('The site the note is about. Defaults to all sites in the account.'),
    }),
    output: note,
    async run(person, { date, text, property: name }) {
      const property = name === undefined ? null : (await contexts.propertyOf(person, name)).name
      return annotations.add(person, newNote.parse({ date, text, property }))
    },
    text: ({ date, text, property }) => `Noted for ${date}${property === null ? ', all sites' : `, ${property}`}: ${quoted(text)}.`,
  })
