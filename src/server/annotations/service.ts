import { z } from 'zod'
import {
  type Annotations,
  type AnnotationsQuery,
  type Incident,
  type NewNote,
  type Note,
  type NoteChange,
  noteOfOneProperty,
} from '../../contract/annotations.ts'
import { type IsoDate, oneLine, type SearchType } from '../../contract/common.ts'
import { anomaliesWithin } from '../../core/analytics/anomalies.ts'
import { pacificDay } from '../../core/analytics/days.ts'
import { incidentsWithin, mergeIncidents, searchStatusUrl } from '../../core/analytics/known-incidents.ts'
import type { Person } from '../accounts/service.ts'
import { notYourProperty, Refusal } from '../common/errors.ts'
import { isShownToOthers } from '../common/shown-to-others.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { SitesService } from '../sites/service.ts'
import { createAnnotationsStore, createIncidentsStore, mostNotes, type Period } from './store.ts'

export type AnnotationsDeps = {
  db: Db
  sites: Pick<SitesService, 'reportOn'>
  /** Where Google publishes its incidents; null: don't ask. */
  statusUrl: string | null
  clock: Clock
  log: Log
}

type Days = { start: IsoDate; end: IsoDate }

/** A user's own notes on days, and Google's published ranking incidents. */
export function createAnnotationsService({ db, sites, statusUrl, clock, log }: AnnotationsDeps) {
  const store = createAnnotationsStore(db)
  const incidents = createIncidentsStore(db)

  async function scopeOf(person: Person, name: string | undefined): Promise<number | null | 'every'> {
    if (name === 'all') return 'every'
    const property = name?.includes('\0') ? null : await sites.reportOn(person, name)
    if (property === null && name !== undefined) throw notYourProperty(name)
    return property?.id ?? null
  }

  async function within(
    userId: string,
    scope: number | null | 'every',
    { from, to }: Period,
    searchType?: SearchType,
  ): Promise<Annotations> {
    const [notes, read] = await Promise.all([store.list(userId, scope, { from, to }), incidents.list(statusUrl ?? searchStatusUrl)])
    const published = incidentsWithin(mergeIncidents(read), from, to, searchType)
    return { notes, incidents: published, anomalies: anomaliesWithin(searchType ?? 'web', from, to) }
  }

  return {
    /** Every incident, and the anomalies of web search. */
    async list(person: Person, { property, from, to }: AnnotationsQuery): Promise<Annotations> {
      return within(person.id, await scopeOf(person, property), { from, to })
    },

    /** Notes on one of the user's properties, and on all of them, within a period; the rest is what concerns a search type. */
    ofProperty: (userId: string, propertyId: number, { start, end }: Days, searchType: SearchType = 'web'): Promise<Annotations> =>
      within(userId, propertyId, { from: start, to: end }, searchType),

    /** The same for readers outside the account: only this property's own notes that are marked for its reports. */
    async forOthers(userId: string, propertyId: number, { start, end }: Days, searchType: SearchType = 'web'): Promise<Annotations> {
      const { notes, ...published } = await within(userId, propertyId, { from: start, to: end }, searchType)
      return { notes: notes.filter(({ property, inReports }) => property !== null && inReports), ...published }
    },

    /** The notes of several properties that readers outside the account see, in one query. */
    notesForOthers: (userId: string, propertyIds: readonly number[], { start, end }: Days): Promise<Note[]> =>
      store.inReports(userId, propertyIds, { from: start, to: end }),

    /**
     * Whether readers of reports outside the account see a new or changed note, and not only that one is gone.
     * @param id the changed one's
     */
    async showsOthersMore(person: Person, note: NewNote | NoteChange, id?: string): Promise<boolean> {
      const before = id === undefined ? null : await store.find(person.id, id)
      const property = before ? before.property : 'property' in note ? note.property : null
      if (property === null || !(note.inReports ?? before?.inReports ?? false)) return false
      return isShownToOthers(db, person, { property }, clock.now())
    },

    /** @throws Refusal 404 if the property isn't theirs, 409 if they have reached the limit of notes */
    async add(person: Person, given: NewNote, trx?: Db): Promise<Note> {
      const added = await store.add(person, given, clock.now(), trx)
      if (added === 'unknown') throw notYourProperty(given.property ?? '')
      if (added === 'full') {
        throw new Refusal(409, `You’ve reached the limit of ${mostNotes.toLocaleString('en-US')} notes. Delete some to add more.`)
      }
      if (added === 'long')
        throw new Refusal(409, 'The names of your properties are too long for so many notes. Delete some notes to add more.')
      return added
    },

    /** @throws Refusal 400 if a note on all properties was to appear in reports, 404 if it isn't theirs */
    async change(person: Person, id: string, change: NoteChange, trx?: Db): Promise<Note> {
      const changed = await store.change(person, id, change, trx)
      if (!changed) throw noSuchNote()
      if (changed === 'everywhere') throw new Refusal(400, noteOfOneProperty, 'inReports')
      return changed
    },

    /** @throws Refusal 404 if it isn't theirs */
    async remove(person: Person, id: string, trx?: Db): Promise<void> {
      if (!(await store.remove(person.id, id, trx))) throw noSuchNote()
    },

    /** All of a user's notes, for export. */
    exportOf: (userId: string) => store.exported(userId),

    /** Asks Google for its incidents. If it doesn't answer, the known ones stay: nobody has to act on that. */
    async readIncidents(signal: AbortSignal): Promise<void> {
      if (statusUrl === null) return
      const answer = await fetchFeed(statusUrl, signal)
      const found = answer.ok ? readFeed(answer.text, statusUrl) : null
      if (found === null) {
        log.info({ reason: answer.ok ? 'not a list' : answer.reason }, "could not read Google's ranking incidents; keeping the known ones")
        return
      }
      await incidents.save(found)
    },
  }
}
export type AnnotationsService = ReturnType<typeof createAnnotationsService>

const noSuchNote = (): Refusal => new Refusal(404, 'Note not found.')

/** A generous timeout for Google's dashboard, since we ask once a day. */
const timeoutMs = 10_000
/** Its feed is some tens of kilobytes. */
const mostBytes = 2 * 1024 ** 2

type FeedAnswer = { ok: true; text: string } | { ok: false; reason: string }

/** Reads the dashboard's feed, within a time and size limit and without redirects. Never throws for network failures. */
export async function fetchFeed(base: string, signal: AbortSignal, limits = { timeoutMs, mostBytes }): Promise<FeedAnswer> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  try {
    const response = await fetch(`${base}/incidents.json`, {
      headers: { accept: 'application/json' },
      // A redirect leads away from Google's dashboard.
      redirect: 'error',
      signal: AbortSignal.any([timeout, signal]),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { ok: false, reason: `it responded with ${response.status}` }
    }
    const text = await readAtMost(response, limits.mostBytes)
    return text === null ? { ok: false, reason: `it is larger than ${limits.mostBytes} bytes` } : { ok: true, text }
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, reason: describe(error) }
  }
}

/** Null if there is more; the rest isn't read. */
async function readAtMost(response: Response, most: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop ends the response.
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const moment = z.iso.datetime({ offset: true }).refine((text) => /^20\d\d-/.test(text))

/** The part we use of an entry in the dashboard's `incidents.json`; other fields are ignored. */
const entry = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  external_desc: z
    .string()
    .transform((text) => oneLine(text).slice(0, 200))
    .pipe(z.string().min(1)),
  begin: moment,
  // Absent while the incident lasts.
  end: moment.nullish(),
  service_name: z.string().nullish(),
  affected_products: z.array(z.object({ title: z.string() })).nullish(),
  uri: z.string().nullish(),
})

/** More than Google ever had; any beyond that are ignored. */
const mostEntries = 1_000

/**
 * The ranking incidents in a feed. Skips entries that can't be read or are about something else (crawling, indexing, serving). Null if it
 * isn't a feed at all.
 * @param base the dashboard's URL, which all of its links begin with
 */
function readFeed(text: string, base: string): Incident[] | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(body)) return null
  const incidents = body.slice(0, mostEntries).flatMap((each) => {
    const parsed = entry.safeParse(each)
    if (!parsed.success || !isAboutRanking(parsed.data)) return []
    const { id, external_desc: title, begin, end, uri } = parsed.data
    const start = pacificDay(new Date(begin))
    const last = end ? pacificDay(new Date(end)) : null
    return last !== null && last < start ? [] : [{ id, title, start, end: last, url: addressOf(uri ?? `incidents/${id}`, base) }]
  })
  // The first entry for an id is Google's latest.
  return [...new Map(incidents.toReversed().map((each) => [each.id, each])).values()].toReversed()
}

const isAboutRanking = ({ service_name: service, affected_products: products }: z.infer<typeof entry>): boolean =>
  [service ?? '', ...(products ?? []).map(({ title }) => title)].some((name) => name.trim().toLowerCase() === 'ranking')

/** A URL on the dashboard; nothing in the feed can link anywhere else. */
function addressOf(uri: string, base: string): string {
  const home = `${base}/`
  const address = URL.canParse(uri, home) ? new URL(uri, home).href : home
  return address.startsWith(home) ? address : home
}
