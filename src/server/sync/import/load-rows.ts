import type { IsoDate, SearchType } from '../../../contract/common.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { Load } from '../../facts/load.ts'
import { createGrainWriter, derivable, type GrainWriter } from './grains.ts'
import { ImportRefusal } from './refusal.ts'
import type { Upload } from './read-upload.ts'

/** What a file holds in all, over its search types. */
export type Summary = {
  rows: number
  days: number
  start: IsoDate
  end: IsoDate
  clicks: number
  impressions: number
  searchTypes: SearchType[]
  /** What cards, reports and rules go by; null in a file without web search. */
  lastWebDay: IsoDate | null
}

export type LoadedUpload = {
  summary: Summary
  /** Makes what was written visible, for the days and grains of the file only. */
  publish(): Promise<void>
}

/** Figures beyond what a person's site can have; keeps sums exact. */
const maxSum = Number.MAX_SAFE_INTEGER / 2

/**
 * Reads an upload to its end, writing its facts. Nothing of it is visible
 * before `publish`: a bad row at the end leaves the store as it was.
 * @throws ImportRefusal for the first bad row
 */
export async function loadRows(upload: Upload, into: { facts: FactsStore; propertyId: number }): Promise<LoadedUpload> {
  const loads = new Map<SearchType, { load: Load; writer: GrainWriter }>()
  const daysOf = new Map<SearchType, Set<IsoDate>>()
  const total = { rows: 0, clicks: 0, impressions: 0 }

  for await (const rows of upload.rows) {
    for (const [searchType, some] of Map.groupBy(rows, (row) => row.searchType)) {
      let days = daysOf.get(searchType)
      if (!days) {
        daysOf.set(searchType, (days = new Set()))
        const load = await into.facts.beginLoad(into.propertyId, searchType)
        loads.set(searchType, { load, writer: createGrainWriter(load, upload.dimensions) })
      }
      for (const row of some) {
        days.add(row.date)
        total.clicks += row.clicks
        total.impressions += row.impressions
      }
      total.rows += some.length
      await loads.get(searchType)?.writer.add(some)
    }
    if (total.impressions > maxSum) throw new ImportRefusal('The figures add up to more than any site has')
  }
  for (const entry of loads.values()) await entry.writer.finish()

  const all = new Set<IsoDate>()
  for (const days of daysOf.values()) for (const day of days) all.add(day)
  const sorted = [...all].sort()
  const [start, end] = [sorted[0], sorted.at(-1)]
  if (start === undefined || end === undefined) throw new Error('an upload without rows was not refused')
  const lastWebDay = [...(daysOf.get('web') ?? [])].sort().at(-1) ?? null
  return {
    summary: { ...total, days: all.size, start, end, searchTypes: [...daysOf.keys()], lastWebDay },
    async publish() {
      for (const [searchType, entry] of loads) {
        const days = daysOf.get(searchType) ?? []
        await entry.load.publish(new Map(derivable(upload.dimensions).map((grain) => [grain, days])))
      }
    },
  }
}
