import {
  type Annotations,
  type AnnotationsQuery,
  type NewNote,
  type Note,
  type NoteChange,
  noteOfOneProperty,
} from '../../contract/annotations.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { anomaliesWithin } from '../../core/analytics/anomalies.ts'
import { incidentsWithin, mergeIncidents, searchStatusUrl } from '../../core/analytics/known-incidents.ts'
import type { Person } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import { notYourProperty, Refusal } from '../common/errors.ts'
import { isShownToOthers } from '../common/shown-to-others.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { SitesService } from '../sites/service.ts'
import { fetchFeed } from './fetch-feed.ts'
import { readFeed } from './read-feed.ts'
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
    searchType: SearchType = 'web',
  ): Promise<Annotations> {
    const [notes, read] = await Promise.all([store.list(userId, scope, { from, to }), incidents.list(statusUrl ?? searchStatusUrl)])
    return { notes, incidents: incidentsWithin(mergeIncidents(read), from, to), anomalies: anomaliesWithin(searchType, from, to) }
  }

  return {
    async list(person: Person, { property, from, to }: AnnotationsQuery): Promise<Annotations> {
      return within(person.id, await scopeOf(person, property), { from, to })
    },

    /** Notes on one of the user's properties, and on all of them, within a period; anomalies of web search unless another type is given. */
    ofProperty: (userId: string, propertyId: number, { start, end }: Days, searchType?: SearchType): Promise<Annotations> =>
      within(userId, propertyId, { from: start, to: end }, searchType),

    /** The same for readers outside the account: only this property's own notes that are marked for its reports. */
    async forOthers(userId: string, propertyId: number, { start, end }: Days, searchType?: SearchType): Promise<Annotations> {
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
