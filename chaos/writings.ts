import { z } from 'zod'
import { alertConditions } from '../src/contract/alerts/conditions.ts'
import { annotations } from '../src/contract/annotations.ts'
import { apiKeys, apiScope } from '../src/contract/api-keys.ts'
import { isoDate } from '../src/contract/common.ts'
import { reportKind } from '../src/contract/reports/periodic.ts'
import { paper, reportClients, reportSchedules, reportSubject } from '../src/contract/reports/reports.ts'
import { insist, type Inhabitant } from './people.ts'

/** One thing as listed: what stays the same over all its versions, and everything that somebody wrote. */
export type Found = { id: string; thing: string; value: string }

/** A kind of thing of which people have many: how they write one, and what they find of it. */
export type Writing = {
  /** The name of these things, without their number. */
  name: string
  /** Its weight among the kinds. */
  weight: number
  /** How many a user has: fewer than any limit. */
  most: number
  path(person: Inhabitant): string
  /** How to change one; null if it can only be deleted. */
  changing: 'PATCH' | 'PUT' | null
  /** What is sent. */
  body(person: Inhabitant, thing: string, version: number): object
  /** What is expected to be found of it. */
  valueOf(body: object): string
  /** The new one's id; for a key also the key itself. */
  made(answer: unknown): { id: string; key?: string }
  list(person: Inhabitant): Promise<Found[]>
}

type Sort<Entry extends { id: string }> = Pick<Writing, 'name' | 'weight' | 'most' | 'path' | 'changing' | 'body'> & {
  /** What is written, if it is sent and listed in the same form. */
  shape: z.ZodType<object>
  entries(answer: unknown, person: Inhabitant): readonly Entry[]
  titleOf(entry: Entry): string
  made?: Writing['made']
}

const withId = z.object({ id: z.string() })
/** `note 3 of anna, version 12` is a version of `note 3 of anna`. */
const titled = (thing: string, version: number): string => `${thing}, version ${version}`
const thingOf = (title: string): string => title.split(',')[0] ?? ''

function writing<Entry extends { id: string }>({ shape, entries, titleOf, ...sort }: Sort<Entry>): Writing {
  const valueOf = (written: object): string => JSON.stringify(shape.parse(written))
  return {
    made: (answer) => withId.parse(answer),
    ...sort,
    valueOf,
    list: async (person) =>
      entries(await insist(person, 'GET', sort.path(person)), person).map((entry) => ({
        id: entry.id,
        thing: thingOf(titleOf(entry)),
        value: valueOf(entry),
      })),
  }
}

const notes = writing({
  name: 'note',
  weight: 8,
  most: 300,
  path: () => '/api/annotations',
  changing: 'PATCH',
  body: (_person, thing, version) => ({ date: '2026-01-15', text: titled(thing, version), property: null }),
  shape: z.object({ date: isoDate, text: z.string(), property: z.null() }),
  entries: (answer) => annotations.parse(answer).notes,
  titleOf: ({ text }) => text,
})

/** Switched off: the expected alerts are only known for the rule that everybody has. */
const rules = writing({
  name: 'rule',
  weight: 2,
  most: 12,
  path: ({ site }) => `/api/alert-conditions?property=${encodeURIComponent(site)}`,
  changing: 'PATCH',
  body: (_person, thing, version) => ({
    type: 'impressions',
    title: titled(thing, version),
    monitor: 'site',
    isEnabled: false,
    threshold: 10 + (version % 80),
  }),
  shape: z.object({ type: z.string(), title: z.string(), monitor: z.string(), isEnabled: z.boolean(), threshold: z.number() }),
  entries: (answer, { ruleId }) => alertConditions.parse(answer).filter(({ id }) => id !== ruleId),
  titleOf: ({ title }) => title,
})

const clients = writing({
  name: 'client',
  weight: 2,
  most: 12,
  path: () => '/api/report-clients',
  changing: 'PUT',
  // Different properties for each name: half of a change would be visible.
  body: ({ sites }, thing, version) => ({ name: titled(thing, version), properties: sites.slice(0, 1 + (version % 3)) }),
  shape: z.object({ name: z.string(), properties: z.array(z.string()).transform((names) => names.toSorted()) }),
  entries: (answer) => reportClients.parse(answer).clients,
  titleOf: ({ name }) => name,
})

/** The first report is sent when this week, or month, is over and final at Google: in none of our runs. */
const schedules = writing({
  name: 'schedule',
  weight: 2,
  most: 12,
  path: () => '/api/report-schedules',
  changing: 'PUT',
  body: ({ name, sites }, thing, version) => ({
    subject: { property: sites[version % sites.length] ?? '' },
    kind: version % 2 === 0 ? 'week' : 'month',
    paper: version % 3 === 0 ? 'letter' : 'a4',
    // It has no title: its first recipient identifies it.
    recipients: [`${thing.replaceAll(' ', '-')}@example.test`, `version-${version}@${name}.example.test`],
    enabled: version % 5 > 0,
  }),
  shape: z.object({ subject: reportSubject, kind: reportKind, paper, recipients: z.array(z.string()), enabled: z.boolean() }),
  entries: (answer) => reportSchedules.parse(answer).schedules,
  titleOf: ({ recipients: [first = ''] }) => first.replace(/@.*/, '').replaceAll('-', ' '),
})

const madeKey = z.object({ key: z.string(), apiKey: withId })
const lasting = z.union([
  z.object({ days: z.number().nullable() }).transform(({ days }) => days !== null),
  z.object({ expiresAt: z.string().nullable() }).transform(({ expiresAt }) => expiresAt !== null),
])
const keys = writing({
  name: 'key',
  weight: 2,
  most: 10,
  path: () => '/api/keys',
  changing: null,
  body: (_person, thing, version) => ({
    name: titled(thing, version),
    scope: version % 2 === 0 ? 'read' : 'write',
    days: version % 3 === 0 ? null : 30,
  }),
  shape: z
    .looseObject({ name: z.string(), scope: apiScope })
    .transform(({ name, scope, ...rest }) => ({ name, scope, ends: lasting.parse(rest) })),
  entries: (answer) => apiKeys.parse(answer).keys,
  titleOf: ({ name }) => name,
  made(answer) {
    const { key, apiKey } = madeKey.parse(answer)
    return { id: apiKey.id, key }
  },
})

export const writings: readonly Writing[] = [notes, rules, clients, schedules, keys]
