import { buildCells } from './cells.ts'
import type { Cells } from './cells.ts'
import { generateDay } from './day.ts'
import type { DayRows } from './day.ts'
import { finalLag, partOf, scaleRows, topRows } from './freshness.ts'
import { countedByHour } from './hours.ts'
import type { HourChange, View } from './hours.ts'
import { incidents, resolveIncident } from './incidents.ts'
import type { ResolvedIncident } from './incidents.ts'
import { literalDay } from './literal.ts'
import type { LiteralRow } from './literal.ts'
import { asCounted } from './measurement.ts'
import { Names } from './names.ts'
import { profiles } from './profiles.ts'
import type { Profile, ProfileName, SearchType } from './profiles.ts'
import { hashText, mix } from './random.ts'
import { buildSurface } from './surface.ts'
import type { Surface } from './surface.ts'
import { buildUniverse } from './universe.ts'
import type { Universe } from './universe.ts'

/** A later change to a day's figures, as requested by tests. The last one for a day wins. */
export type Revision = { readonly factor: number } | { readonly keepRows: number }

const CACHED_ROWS = 500_000

/** Counts every state that any property has ever been in, so that no two share a version. */
let versions = 0

/** A property: its names, its figures for any day, and the changes by tests. */
export class PropertyData {
  readonly siteUrl: string
  readonly profile: Profile | null
  readonly seed: number
  readonly pages = new Names()
  readonly queries = new Names()
  readonly cells: Cells
  /** Search appearances of each generated page. */
  readonly appearances: (readonly string[])[] = []
  /** Different after every change by a test, so that nothing stale is served. */
  version = ++versions
  /** Set by tests: days until data is final, instead of two or three. */
  daysLate: number | null = null
  readonly #anchor: number
  readonly #universe: Universe
  readonly #surfaces = new Map<SearchType, Surface>()
  readonly #literals = new Map<string, DayRows>()
  readonly #revisions = new Map<string, Revision>()
  readonly #hourChanges = new Map<SearchType, readonly HourChange[]>()
  readonly #cache = new Map<string, DayRows>()
  #cachedRows = 0

  constructor(siteUrl: string, profileName: ProfileName | 'empty', anchor: number, seed: number) {
    this.siteUrl = siteUrl
    this.#anchor = anchor
    this.seed = mix(seed, hashText(profileName))
    this.profile = profileName === 'empty' ? null : profiles[profileName]
    this.cells = buildCells(this.profile ?? profiles.shop)
    const pairs = this.profile?.surfaces.web?.pairs ?? 0
    this.#universe = this.profile ? buildUniverse(this.profile, rootOf(siteUrl), this.seed, pairs) : { pages: [], queries: [], pairs: [] }
    for (const page of this.#universe.pages) {
      this.pages.add(page.url)
      this.appearances.push(page.appearances)
    }
    for (const query of this.#universe.queries) this.queries.add(query)
  }

  /** The last day whose data is final, as seen on a day. */
  finalDay(today: number): number {
    return today - (this.daysLate ?? finalLag(this.seed, today))
  }

  /** The current figures of a day, or null if there are none. */
  rows(type: SearchType, day: number, view: View): DayRows | null {
    if (day > view.today) return null
    // Most days are final and whole; checking each of their hours would take as long as everything else.
    const isWhole = day <= this.finalDay(view.today) && (this.#hourChanges.get(type) ?? []).length === 0
    const share = isWhole ? 1 : (this.countedByHour(type, day, view).at(-1) ?? 1)
    const key = `${type} ${day} ${share}`
    let rows = this.#cache.get(key)
    if (rows) {
      // Moved to the end: the map is in order of use.
      this.#cache.delete(key)
      this.#cache.set(key, rows)
      return rows
    }
    const full = this.#full(type, day)
    if (!full) return null
    rows = share === 1 ? full : partOf(full, share)
    this.#remember(key, rows)
    return rows
  }

  /** The fraction of a day's events counted by the end of each hour; the last entry is the day's. */
  countedByHour(type: SearchType, day: number, view: View): Float64Array {
    const final = day <= this.finalDay(view.today)
    return countedByHour(day, view, { seed: this.seed, final, changes: this.#hourChanges.get(type) ?? [] })
  }

  /** These hours deviate from the usual, and no others. */
  changeHours(type: SearchType, changes: readonly HourChange[]): void {
    this.#hourChanges.set(type, changes)
    this.changed()
  }

  /** Sets or clears (null) a revision of a day. */
  revise(type: SearchType, day: number, revision: Revision | null): void {
    const key = `${type} ${day}`
    if (revision) this.#revisions.set(key, revision)
    else this.#revisions.delete(key)
    this.changed()
  }

  /** Replaces a day's rows by literal ones, or restores the generated ones (null). */
  override(type: SearchType, day: number, rows: readonly LiteralRow[] | null): void {
    const key = `${type} ${day}`
    if (rows) this.#literals.set(key, literalDay(this, rows, mix(this.seed, day)))
    else this.#literals.delete(key)
    this.changed()
  }

  /** Discards every change by tests. */
  reset(): void {
    this.#literals.clear()
    this.#revisions.clear()
    this.#hourChanges.clear()
    this.daysLate = null
    this.changed()
  }

  changed(): void {
    this.version = ++versions
    this.#cache.clear()
    this.#cachedRows = 0
  }

  /** This property's scripted incidents with dates and names. */
  incidents(): ResolvedIncident[] {
    return this.#incidents().map((incident) =>
      resolveIncident(incident, this.#anchor, this.siteUrl, {
        page: (index) => this.#universe.pages[index]?.url,
        query: (index) => this.#universe.queries[this.#universe.pairs[index]?.query ?? -1],
      }),
    )
  }

  #incidents() {
    return incidents.filter((incident) => incident.property === this.profile?.name)
  }

  #full(type: SearchType, day: number): DayRows | null {
    const key = `${type} ${day}`
    const rows = this.#literals.get(key) ?? this.#generated(type, day)
    const revision = this.#revisions.get(key)
    if (!revision || !rows) return rows
    return 'factor' in revision ? scaleRows(rows, revision.factor) : topRows(rows, revision.keepRows)
  }

  #generated(type: SearchType, day: number): DayRows | null {
    const spec = this.profile?.surfaces[type]
    if (!this.profile || !spec) return null
    let surface = this.#surfaces.get(type)
    if (!surface) {
      surface = buildSurface(this.#universe, type, spec, this.#incidents(), this.seed)
      this.#surfaces.set(type, surface)
    }
    const rows = generateDay(surface, this.profile.season, day, this.#anchor)
    return type === 'web' ? asCounted(rows, day) : rows
  }

  #remember(key: string, rows: DayRows): void {
    this.#cache.set(key, rows)
    this.#cachedRows += rows.page.length
    for (const [oldKey, old] of this.#cache) {
      if (this.#cachedRows <= CACHED_ROWS || oldKey === key) break
      this.#cache.delete(oldKey)
      this.#cachedRows -= old.page.length
    }
  }
}

/** The URL prefix of a property's pages. */
function rootOf(siteUrl: string): string {
  return new URL(siteUrl.startsWith('sc-domain:') ? `https://www.${siteUrl.slice('sc-domain:'.length)}/` : siteUrl).href
}
