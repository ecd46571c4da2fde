import { reserveOf } from '../disk-reserve.ts'
import { placesOfOne } from '../fair-reads.ts'

/** Share of the memory limit for one statement of the server's own, or one that writes: of those that need much, few run at once. */
const QUERY_SHARE = 0.6
/** Share for all questions of one person together, so that they leave room for others' questions, inserts and merges. */
const PERSON_SHARE = 0.8
/** From this share of a query's memory on, grouping and sorting spill to disk. */
const SPILL_SHARE = 0.4

export type MemorySettings = Readonly<
  Record<'max_memory_usage' | 'max_bytes_before_external_group_by' | 'max_bytes_before_external_sort', number>
>
/** `ofPeople`: for a question of a person's; `others`: for the server's own statements, and those that write. */
export type MemoryLimits = { others: MemorySettings; ofPeople: MemorySettings }

const settingsFor = (bytes: number): MemorySettings => ({
  max_memory_usage: Math.floor(bytes),
  max_bytes_before_external_group_by: Math.floor(bytes * SPILL_SHARE),
  max_bytes_before_external_sort: Math.floor(bytes * SPILL_SHARE),
})

/**
 * @param memoryBytes of the engine or server, for all queries, merges and caches together
 * @param atATime how many statements of this process run at once
 */
export const memoryLimits = (memoryBytes: number, atATime: number, leastBytes = 0): MemoryLimits => ({
  others: settingsFor(memoryBytes * QUERY_SHARE),
  ofPeople: settingsFor(memoryBytes * Math.min(QUERY_SHARE, Math.max(PERSON_SHARE / placesOfOne(atATime), leastBytes / memoryBytes))),
})

export type SpillSettings = Readonly<
  Partial<Record<'min_free_disk_space_for_temporary_data' | 'max_temporary_data_on_disk_size_for_query', number>>
>

/** How much of what a question of a person's groups and sorts may be on disk at a time. */
const spilledByOne = 1024 ** 3

/** What spilling leaves of the disk, so that no query takes the room that PostgreSQL needs. The engine looks before it begins a file. */
export function spillLimits(diskBytes: number): { others: SpillSettings; ofPeople: SpillSettings } {
  const others = { min_free_disk_space_for_temporary_data: reserveOf(diskBytes) }
  return { others, ofPeople: { ...others, max_temporary_data_on_disk_size_for_query: spilledByOne } }
}
