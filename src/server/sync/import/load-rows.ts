import type { IsoDate, SearchType } from '../../../contract/common.ts'
import type { Load } from '../../facts/load.ts'
import { storedTotals } from '../../facts/questions/daily-totals.ts'
import { type Grain, grains } from '../../facts/schema.ts'
import type { FactsStore } from '../../facts/store.ts'
import { createGrainWriter, type GrainWriter, mostHeld } from './grains.ts'
import type { Part, Upload } from './read-upload.ts'
import { ImportRefusal } from './refusal.ts'
import type { ImportedRow } from './rows.ts'

/** What an upload stores, over all its search types. */
export type Summary = {
  rows: number
  days: number
  start: IsoDate
  end: IsoDate
  clicks: number
  impressions: number
  searchTypes: SearchType[]
  /** Used by cards, reports and rules; null in a file without web search. */
  lastWebDay: IsoDate | null
  /** Days that only some of the upload's tables contain, oldest first. */
  uneven: IsoDate[]
}

/** Days of the upload that aren't stored, oldest first. */
export type LeftOut = { searchType: SearchType; days: IsoDate[] }

export type LoadedUpload = {
  /** Null if no day is stored. */
  summary: Summary | null
  leftOut: LeftOut[]
  /** Numbers of the written loads. */
  loads: number[]
  /** Written rows, all grains together. */
  stored: number
  /** Makes the written rows visible, only for the upload's days and grains. */
  publish(): Promise<void>
}

type LoadInto = {
  facts: FactsStore
  propertyId: number
  /** Whether a day of a search type is to be stored. */
  isWanted: (searchType: SearchType, date: IsoDate) => boolean
  /** Maximum number of rows to store, all grains together, and the refusal beyond. */
  most?: { rows: number; refusal: () => Error }
  /** Called with the number of rows read so far, and what the last of them count as toward the daily limit; may throw. */
  onRows?: (rows: number, worth: number) => void
  /** Called before some rows of a grain are written, with the number of rows per month; may throw. */
  onMonths?: (rows: readonly number[]) => void
}

/** Characters of names that count as a row: those of imports can be thirty times as long as usual ones, and the disk holds bytes. */
const lettersOfRow = 64
const worthOf = ({ values }: ImportedRow): number =>
  Math.max(1, Math.ceil(values.reduce((letters, value) => letters + (value?.length ?? 0), 0) / lettersOfRow))

/** More than any site can have; keeps sums exact. */
const maxSum = Number.MAX_SAFE_INTEGER / 2

/** One table's rows of one search type. */
type Piece = {
  part: Part
  searchType: SearchType
  load: Load
  writer: GrainWriter
  days: Map<IsoDate, { clicks: number; impressions: number }>
}

/**
 * Reads an upload to its end, writing its facts. Nothing is visible before `publish`: a bad row at the end leaves the store unchanged.
 * @throws ImportRefusal for the first bad row
 */
export async function loadRows(upload: Upload, into: LoadInto): Promise<LoadedUpload> {
  const { facts, propertyId, isWanted, most } = into
  const loads = new Map<SearchType, Load>()
  const pieces: Piece[] = []
  const leftOut = new Map<SearchType, Set<IsoDate>>()
  const total = { rows: 0, clicks: 0, impressions: 0 }
  let read = 0

  async function pieceOf(part: Part, searchType: SearchType): Promise<Piece> {
    const known = pieces.find((piece) => piece.part === part && piece.searchType === searchType)
    if (known) return known
    const load = loads.get(searchType) ?? (await facts.beginLoad(propertyId, searchType))
    loads.set(searchType, load)
    const writer = createGrainWriter(load, part.dimensions, part.grains(searchType), into.onMonths)
    const piece = { part, searchType, load, writer, days: new Map() }
    pieces.push(piece)
    return piece
  }

  function isLeftOut(searchType: SearchType, date: IsoDate): boolean {
    if (isWanted(searchType, date)) return false
    const days = leftOut.get(searchType) ?? new Set()
    leftOut.set(searchType, days.add(date))
    return true
  }

  for (const part of upload.parts) {
    for await (const rows of part.rows) {
      for (const [searchType, some] of Map.groupBy(rows, (row) => row.searchType)) {
        const wanted = some.filter(({ date }) => !isLeftOut(searchType, date))
        if (wanted.length === 0) continue
        const piece = await pieceOf(part, searchType)
        for (const { date, clicks, impressions } of wanted) {
          let day = piece.days.get(date)
          if (!day) piece.days.set(date, (day = { clicks: 0, impressions: 0 }))
          day.clicks += clicks
          day.impressions += impressions
        }
        total.rows += wanted.length
        await piece.writer.add(wanted)
        if (pieces.reduce((sum, { writer }) => sum + writer.held(), 0) > mostHeld) {
          for (const { writer } of pieces) await writer.finish()
        }
      }
      read += rows.length
      into.onRows?.(
        read,
        rows.reduce((sum, row) => sum + worthOf(row), 0),
      )
      // Each read row is stored at one grain at least: stop here rather than read to the end and refuse then.
      if (most && total.rows > most.rows) throw most.refusal()
    }
  }
  if (read === 0) throw new ImportRefusal('The file has no rows')
  for (const { writer } of pieces) await writer.finish()
  const stored = rowsOf([...loads.values()])
  if (most && stored > most.rows) throw most.refusal()
  for (const { part, days } of pieces) {
    for (const [date, { clicks, impressions }] of days) {
      if (clicks > impressions) throw new ImportRefusal(`On ${date} there are more clicks (${clicks}) than impressions (${impressions})`)
      if (part.isCounted) {
        total.clicks += clicks
        total.impressions += impressions
      }
    }
  }
  if (total.impressions > maxSum) throw new ImportRefusal('The numbers add up to more than any site could have')
  return {
    summary: summaryOf(pieces, upload.parts, total),
    leftOut: [...leftOut].map(([searchType, days]) => ({ searchType, days: [...days].sort() })),
    loads: [...loads.values()].map(({ target }) => target.load),
    stored,
    async publish() {
      for (const [searchType, load] of loads) {
        await load.publish(
          await daysToPublish(
            facts,
            pieces.filter((piece) => piece.searchType === searchType),
          ),
        )
      }
    },
  }
}

/** Number of written rows, all grains together. */
const rowsOf = (loads: readonly Load[]): number =>
  loads.reduce(
    (sum, load) => sum + grains.reduce((of, grain) => of + [...load.written(grain).values()].reduce((a, { rows }) => a + rows, 0), 0),
    0,
  )

function summaryOf(
  pieces: readonly Piece[],
  parts: readonly Part[],
  total: { rows: number; clicks: number; impressions: number },
): Summary | null {
  const all = new Map<IsoDate, Set<Part>>()
  for (const { part, days } of pieces) for (const day of days.keys()) all.set(day, (all.get(day) ?? new Set()).add(part))
  const sorted = [...all.keys()].sort()
  const [start, end] = [sorted[0], sorted.at(-1)]
  if (start === undefined || end === undefined) return null
  const webDays = pieces.filter(({ part, searchType }) => searchType === 'web' && part.isCounted).flatMap(({ days }) => [...days.keys()])
  return {
    ...total,
    days: all.size,
    start,
    end,
    searchTypes: [...new Set(pieces.map(({ searchType }) => searchType))],
    lastWebDay: webDays.sort().at(-1) ?? null,
    uneven: sorted.filter((day) => (all.get(day)?.size ?? 0) < parts.length),
  }
}

/** The days of each grain that one search type's tables fill. */
async function daysToPublish(facts: FactsStore, pieces: readonly Piece[]): Promise<Map<Grain, IsoDate[]>> {
  const published = new Map<Grain, IsoDate[]>()
  for (const { part, searchType, load, days } of pieces) {
    const wanted = [...days.keys()].sort()
    const [start, end] = [wanted[0], wanted.at(-1)]
    if (start === undefined || end === undefined) continue
    const scope = { property: load.target.property, searchType, start, end }
    const stored = new Set(part.asLast.length > 0 ? (await facts.ask(storedTotals, scope)).stored : [])
    for (const grain of part.grains(searchType)) {
      // JSON lines leave out what a table lacks: a grain without any row is unknown.
      if (load.written(grain).size === 0) continue
      published.set(grain, part.asLast.includes(grain) ? wanted.filter((date) => !stored.has(date)) : wanted)
    }
  }
  return published
}
