import { type GrainSums, sumsAtGoogle } from '../../test/support/grain-sums.ts'
import type { Control } from '../../test/support/google-control.ts'
import type { FactsQuestion, Installation } from '../installation.ts'
import type { ImportedFile } from '../imports.ts'

type Site = { id: string; name: string; first: string; end: string }

export type FactsCheck = (at: Installation, files: readonly ImportedFile[]) => Promise<{ wrong: string[]; days: number }>

/**
 * At rest: every day of every property is stored in every grain as Google has it, and every imported file is complete. Doubled or halved
 * days have other sums; missing ones have none.
 */
export function createFactsCheck(google: Control, isDictated: (site: string) => boolean): FactsCheck {
  // Final figures never change unless dictated.
  const known = new Map<string, GrainSums>()
  const atGoogle = async ({ name, first, end }: Site): Promise<GrainSums> => {
    const key = `${name} ${first} ${end}`
    const sums = known.get(key) ?? (await sumsAtGoogle(google, name, { start: first, end, dataState: 'final' }))
    if (!isDictated(name)) known.set(key, sums)
    return sums
  }
  return (at, files) => compare(at, files, atGoogle)
}

async function compare(
  at: Installation,
  files: readonly ImportedFile[],
  atGoogle: (site: Site) => Promise<GrainSums>,
): Promise<{ wrong: string[]; days: number }> {
  const sites = await at.sql<Site>(
    `SELECT properties.id, name, backfilled_from::text AS first, final_through::text AS end
     FROM properties JOIN search_type_syncs ON property_id = properties.id
     WHERE kind = 'google' AND monitored AND detached_at IS NULL AND search_type = 'web' AND final_through IS NOT NULL ORDER BY properties.id`,
  )
  const imported = await at.sql<{ id: string; name: string }>("SELECT id, name FROM properties WHERE kind = 'imported'")
  const idOf = new Map(imported.map(({ id, name }) => [name, Number(id)]))
  const fileQuestions = files.map((file): FactsQuestion => ({ property: idOf.get(file.property) ?? 0, start: file.start, end: file.end }))
  const stored = await at.readFacts([...sites.map(({ id, first, end }) => ({ property: Number(id), start: first, end })), ...fileQuestions])
  const wrong: string[] = []
  let days = 0
  for (const [index, site] of sites.entries()) {
    const there = await atGoogle(site)
    days += Object.keys(there.total).length
    wrong.push(...differences(site.name, stored[index], there))
  }
  for (const [index, file] of files.entries()) {
    const there = stored[sites.length + index]
    days += Object.keys(file.sums.total).length
    const isEmpty = there === undefined || Object.values(there).every((grain) => Object.keys(grain).length === 0)
    if (isEmpty && !file.acknowledged) continue
    wrong.push(...differences(`${file.name} of ${file.property}`, there, file.sums))
  }
  return { wrong: [...wrong, ...(await wronglyNoted(at, files))], days }
}

/** Every accepted file has one record, with the right number of rows. */
async function wronglyNoted({ sql }: Installation, files: readonly ImportedFile[]): Promise<string[]> {
  const notes = await sql<{ property: string; name: string; rows: string }>(
    'SELECT properties.name AS property, file_name AS name, rows FROM imports JOIN properties ON properties.id = property_id',
  )
  return files.flatMap(({ property, name, sums, acknowledged }) => {
    const there = notes.filter((note) => note.property === property && note.name === name)
    if (there.length === 0 && !acknowledged) return []
    const rows = Object.values(sums.query_page).reduce((sum, day) => sum + day.rows, 0)
    if (there.length === 1 && Number(there[0]?.rows) === rows) return []
    return [`${name} of ${property} is noted ${there.length} times, with ${there.map((note) => note.rows).join(', ')} of ${rows} rows`]
  })
}

function differences(name: string, stored: GrainSums | undefined, wanted: Partial<GrainSums>): string[] {
  return Object.entries(wanted).flatMap(([grain, days]) => {
    const there = stored?.[grain as keyof GrainSums] ?? {}
    const all = [...new Set([...Object.keys(days), ...Object.keys(there)])].toSorted()
    const other = all.filter((day) => JSON.stringify(there[day]) !== JSON.stringify(days[day]))
    if (other.length === 0) return []
    const [day = ''] = other
    return [
      `${name}, ${grain}: ${other.length} of ${all.length} days differ, the first is ${day}: stored ${JSON.stringify(there[day] ?? null)}, should be ${JSON.stringify(days[day] ?? null)}`,
    ]
  })
}
