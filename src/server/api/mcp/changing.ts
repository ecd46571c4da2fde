import { z } from 'zod'
import { alertVerdict } from '../../../contract/alerts.ts'
import { newNote, note } from '../../../contract/annotations.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ApiServices } from '../operation.ts'
import { alertIdArgument, alertLine, alertRow, alertRowOf } from './alerts.ts'
import { dayArgument } from './arguments.ts'
import { fitting, quoted } from './plain.ts'
import type { Standings } from './standing.ts'
import { type McpTool, tool } from './tool.ts'
import { count, numbered, paragraphs } from './words.ts'

const dayMs = 86_400_000

export const acknowledgeAlertsTool = ({ alerts }: ApiServices): McpTool =>
  tool({
    name: 'acknowledge_alerts',
    title: 'Acknowledge alerts',
    description: 'Marks alerts as seen and taken care of: they stay open until the figures recover. One that has recovered stays as it is.',
    scope: 'write',
    idempotent: true,
    input: z.object({ ids: z.array(alertIdArgument).min(1).max(50) }),
    output: z.object({ alerts: z.array(alertRow) }),
    run: async (person, { ids }) => ({ alerts: fitting((await alerts.acknowledge(person.id, ids)).map(alertRowOf)) }),
    tell: ({ alerts: rows }) => paragraphs(`${count(rows.length, 'alert')} as they are now:`, numbered(rows.map(alertLine))),
  })

export const snoozeAlertTool = ({ alerts }: ApiServices, clock: Clock): McpTool =>
  tool({
    name: 'snooze_alert',
    title: 'Snooze an alert',
    description: 'Puts one alert aside for some days; then it is told of again, unless it has recovered.',
    scope: 'write',
    input: z.object({ id: alertIdArgument, days: z.number().int().min(1).max(365).describe('For how many days from now.') }),
    output: alertRow,
    run: async (person, { id, days }) => alertRowOf(await alerts.snooze(person.id, id, new Date(clock.now().getTime() + days * dayMs))),
    tell: alertLine,
  })

export const rateAlertTool = ({ alerts }: ApiServices): McpTool =>
  tool({
    name: 'rate_alert',
    title: 'Say whether an alert was useful',
    description:
      'Stores what the person says of an alert: useful when the figures really changed, noise when they did not. It makes later alerts better; ask the person first.',
    scope: 'write',
    idempotent: true,
    input: z.object({ id: alertIdArgument, verdict: alertVerdict }),
    output: alertRow,
    run: async (person, { id, verdict }) => alertRowOf(await alerts.judge({ userId: person.id, id: Number(id) }, verdict, 'api')),
    tell: alertLine,
  })

export const addNoteTool = ({ annotations }: ApiServices, standings: Standings): McpTool =>
  tool({
    name: 'add_note',
    title: 'Write down what happened on a day',
    description:
      'Adds a note to a day, such as a launch or a change of the site. It is drawn on every chart of the account, and in no report that leaves it.',
    scope: 'write',
    input: z.object({
      date: dayArgument,
      text: newNote.shape.text.describe('What happened, in one line of at most 200 characters.'),
      property: z.string().min(1).max(2048).optional().describe('The site it is about. Without it: all sites of the account.'),
    }),
    output: note,
    async run(person, { date, text, property: name }) {
      const property = name === undefined ? null : (await standings.propertyOf(person, name)).name
      return annotations.add(person, newNote.parse({ date, text, property }))
    },
    tell: ({ date, text, property }) => `Noted for ${date}${property === null ? ', all sites' : `, ${property}`}: ${quoted(text)}.`,
  })
