import { z } from 'zod'
import { dayFigures, figures } from '../../../contract/figures.ts'
import { anomaly, incident, note } from '../../../contract/annotations.ts'
import type { Period } from '../../../contract/metrics.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { Refusal } from '../../common/errors.ts'
import type { ApiServices } from '../operation.ts'
import { listed } from '../../../core/words.ts'
import { alertLine, alertRow, alertRowOf } from './alerts.ts'
import { dayArgument, propertyArgument } from './arguments.ts'
import { moved, movedText } from './biggest-changes.ts'
import { comparedText, figuresText, fitting, numbered, paragraphs, periodText, quoted } from './copy.ts'
import { problemsOf, dataContext, type DataContexts, contextText } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'

/** The same weekdays a week earlier. */
const weekBefore = ({ start, end }: Period): Period => ({ start: addDays(start, -7), end: addDays(end, -7) })

const mostMoved = 8
const mostAlerts = 20

const output = dataContext.extend({
  date: z.string(),
  onTheDay: figures.nullable().describe('Null without impressions or stored data.'),
  usual: figures.nullable().describe('Average of that weekday in the four weeks before.'),
  totals: figures.describe('Totals for `period`: the day and up to six days after it.'),
  previousTotals: figures.nullable().describe('A week earlier; null if some days are missing.'),
  days: z.array(dayFigures).describe('From two weeks before the day to two weeks after it.'),
  keywords: z.object({ rising: moved, falling: moved }),
  pages: z.object({ rising: moved, falling: moved }),
  alerts: z.array(alertRow).describe('Opened around the day, or about a period that includes it.'),
  notes: z.array(note).describe('Notes from this account.'),
  measurementChanges: z.array(anomaly).describe('Days when Google counted differently, so a change may not be real.'),
  rankingIncidents: z.array(incident).describe('Ranking incidents Google published; `end` is null while ongoing.'),
})

export const explainDayTool = ({ analytics, alerts, annotations }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'explain_day',
    title: 'What happened around a given day?',
    description:
      'Everything about a day and the week that starts with it: metrics compared with usual levels, the keywords and pages that gained or lost the most vs the week before, alerts, notes and Google ranking incidents.',
    scope: 'read',
    input: z.object({ property: propertyArgument, date: dayArgument }),
    output,
    async run(person, { property: name, date }) {
      const { property, status } = await contexts.siteOf(person, name)
      if (date > property.completeThrough) {
        throw new Refusal(
          409,
          `Google’s data for ${date} is not complete yet. Data for ${property.name} is final through ${property.completeThrough}; choose that day or an earlier one.`,
          'date',
        )
      }
      const around = await analytics.moved.around(property, date)
      const question = { current: around.after, previous: around.before, limit: mostMoved }
      const [keywords, pages, found, { notes, incidents, anomalies }] = await Promise.all([
        analytics.moved.between(property, { ...question, of: 'query' }),
        analytics.moved.between(property, { ...question, of: 'page' }),
        alerts.list(person.id, {
          propertyId: property.id,
          state: 'all',
          from: addDays(date, -7),
          to: addDays(date, 21),
          limit: 200,
          offset: 0,
        }),
        annotations.ofProperty(person.id, property.id, { start: addDays(date, -14), end: addDays(date, 7) }),
      ])
      const isAbout = ({ timestamp, current }: (typeof found)[number]) =>
        (timestamp.slice(0, 10) >= addDays(date, -3) && timestamp.slice(0, 10) <= addDays(date, 10)) ||
        (current !== null && current.start <= around.after.end && current.end >= date)
      const compared = keywords.isStored && pages.isStored
      return {
        property: property.name,
        period: around.after,
        comparedWith: compared ? around.before : null,
        completeThrough: property.completeThrough,
        lastSyncedAt: status?.lastSyncedAt ?? null,
        missing: [
          ...(around.storedFrom === null || around.storedFrom > date
            ? [
                `No data is stored for ${date}: ${around.storedFrom ? `data starts on ${around.storedFrom}` : 'data starts later, or the day is too old'}.`,
              ]
            : around.gaps.length > 0
              ? [`Not stored: ${listed(around.gaps.map(periodText))}. Totals of the two weeks are not compared.`]
              : []),
          ...(compared ? [] : ['Keywords and pages are not compared because some days of the two weeks are missing.']),
          ...(around.after.end < addDays(date, 6)
            ? [`Data is complete only through ${around.after.end}, so those days are compared with the same days a week earlier.`]
            : []),
          'Anonymized queries are counted in the totals but aren’t in any keyword list.',
          ...problemsOf(status),
        ],
        date,
        onTheDay: around.days.find((day) => day.date === date) ?? null,
        usual: around.usual,
        totals: around.totals,
        previousTotals: around.beforeTotals,
        days: around.days,
        keywords: { rising: keywords.rising, falling: keywords.falling },
        pages: { rising: pages.rising, falling: pages.falling },
        alerts: fitting(found.filter(isAbout).slice(0, mostAlerts).map(alertRowOf)),
        notes: fitting(notes, 8_000),
        measurementChanges: anomalies,
        rankingIncidents: incidents,
      }
    },
    text: ({
      date,
      onTheDay,
      usual,
      totals,
      previousTotals,
      keywords,
      pages,
      alerts: opened,
      notes,
      rankingIncidents,
      days: _days,
      ...rest
    }) => {
      const before = weekBefore(rest.period)
      // The totals of both weeks may be stored without all of their keywords and pages.
      const ofTotals = { ...rest, comparedWith: previousTotals && before }
      return paragraphs(
        `${date}: ${onTheDay ? figuresText(onTheDay) : 'no data'}.${usual ? ` Usual for this weekday: ${figuresText({ ...usual, clicks: Math.round(usual.clicks), impressions: Math.round(usual.impressions) })}.` : ''}`,
        `${periodText(rest.period)}${previousTotals ? ` vs ${periodText(before)}` : ''}: ${comparedText({ ...totals, previous: previousTotals }, ofTotals)}.`,
        ...(rest.comparedWith
          ? [
              `Keywords. ${movedText('keywords', keywords.rising, keywords.falling, rest).join('\n')}`,
              `Pages. ${movedText('pages', pages.rising, pages.falling, rest).join('\n')}`,
            ]
          : []),
        opened.length > 0 ? `Alerts:\n${numbered(opened.map(alertLine))}` : 'No alerts around this day.',
        notes.length > 0 ? `Notes from this account:\n${numbered(notes.map((each) => `${each.date}: ${quoted(each.text)}`))}` : 'No notes.',
        rankingIncidents.length > 0
          ? `Google’s ranking incidents:\n${numbered(rankingIncidents.map(({ title, start, end }) => `${title}: ${start} to ${end ?? 'now'}`))}`
          : 'Google published no ranking incidents for these days.',
        contextText(rest),
      )
    },
  })
