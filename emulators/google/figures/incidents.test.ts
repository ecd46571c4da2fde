import { expect, test } from 'vitest'
import { parseDay } from '../dates.ts'
import { PropertyData } from './property.ts'
import { incidents, strengthOn } from './incidents.ts'
import type { IncidentKind, ResolvedIncident } from './incidents.ts'
import { profiles } from './profiles.ts'
import { SAMPLE_SITES } from '../accounts.ts'

const ANCHOR = parseDay('2026-07-15') ?? 0
const LATER = { today: ANCHOR + 600, dayShare: 1 }

interface Week {
  clicks: number
  impressions: number
  position: number
}

/** Sums over seven days for an incident's entity. */
function week(property: PropertyData, incident: ResolvedIncident, from: number): Week {
  const page = incident.page === null ? -1 : property.pages.texts.indexOf(incident.page)
  const query = incident.query === null ? -1 : property.queries.texts.indexOf(incident.query)
  const sum = { clicks: 0, impressions: 0, position: 0 }
  for (let day = from; day < from + 7; day++) {
    const rows = property.rows('web', day, LATER)
    for (let i = 0; i < (rows?.count ?? 0); i++) {
      if ((page >= 0 && rows?.page[i] !== page) || (query >= 0 && rows?.query[i] !== query)) continue
      sum.clicks += rows?.clicks[i] ?? 0
      sum.impressions += (rows?.clicks[i] ?? 0) + (rows?.seen[i] ?? 0)
      sum.position += rows?.positions[i] ?? 0
    }
  }
  return { ...sum, position: sum.position / sum.impressions }
}

/** The samples for a stand-in first started on that day; three days in different seasons and on different weekdays. */
function samples(anchor: number): Map<string, PropertyData> {
  const sites = SAMPLE_SITES.filter((site) => site.profile !== 'large')
  return new Map(sites.map((site) => [site.profile, new PropertyData(site.siteUrl, site.profile, anchor, 1)]))
}

const starts = ['2026-07-15', '2026-11-21', '2027-02-03'].map((date) => ({ anchor: parseDay(date) ?? 0, date }))
const cases = starts.flatMap(({ anchor, date }) => {
  const built = samples(anchor)
  return incidents.map((incident) => ({ id: incident.id, date, incident, anchor, property: built.get(incident.property) }))
})

/** What must hold for the week after an incident compared with the week before it, by the incident's kind. */
const signs: Record<IncidentKind, (before: Week, after: Week) => boolean> = {
  'clicks-drop': (before, after) => after.clicks < 0.85 * before.clicks,
  'traffic-spike': (before, after) => after.impressions > 1.3 * before.impressions,
  'ctr-collapse': (before, after) =>
    after.clicks / after.impressions < (0.6 * before.clicks) / before.impressions && Math.abs(after.position - before.position) < 1.5,
  'page-lost': (before, after) => after.position > before.position + 15 && after.clicks < 0.2 * before.clicks,
  'page-new': (before, after) => before.impressions === 0 && after.impressions > 20,
  'query-new': (before, after) => before.impressions === 0 && after.impressions > 20,
  'query-lost': (before, after) => before.impressions > 20 && after.impressions === 0,
  'position-slide': (before, after) => after.position > before.position + 4,
}

test.each(cases)('$id is visible in the figures, started on $date', ({ id, incident, anchor, property }) => {
  const resolved = property?.incidents().find((each) => each.id === id)
  if (!property || !resolved) throw new Error(`no ${id}`)
  expect(incident.entity === 'site' || resolved.page !== null || resolved.query !== null).toBe(true)
  const start = anchor - incident.from
  const short = incident.from - incident.to < 6
  // The week before, and the week in which the incident has full strength (or most days of it).
  const before = week(property, resolved, start - 7)
  const after = week(property, resolved, short ? start - 2 : start + (incident.ramp ?? 0))
  expect({ before, after, seen: signs[incident.kind](before, after) }).toMatchObject({ seen: true })
})

test('every sample has something in the last 14 days, and quiet months between', () => {
  for (const name of ['shop', 'blog', 'local'] as const) {
    const own = incidents.filter((incident) => incident.property === name)
    expect(own.some((incident) => incident.from <= 14 && incident.from > 2)).toBe(true)
    expect(own.filter((incident) => incident.from > 210 && incident.to < 240)).toEqual([])
  }
  expect(Object.keys(profiles)).toContain('large')
})

test('strength builds up over its ramp and ends with the last day', () => {
  const first = incidents.find((incident) => incident.id === 'local-page-lost')
  if (!first) throw new Error('gone')
  const at = (before: number) => strengthOn(first, ANCHOR - before, ANCHOR)
  expect([131, 130, 129, 128, 100, 99].map(at)).toEqual([0, 1 / 3, 2 / 3, 1, 1, 0])
})
