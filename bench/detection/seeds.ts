/**
 * The seeds of everything that is generated. The table of docs/bench.md is measured on its own; constants are chosen on the others, never on
 * those. No two generated things share a seed (seeds.test.ts).
 */
export const seedSets = { table: 2_000_000, tuning: 4_000_000 } as const
export type SeedSet = keyof typeof seedSets

/** What is generated, each with room for this many. */
export const seedGroups = [
  'sites',
  'drops',
  'hours',
  'afternoons',
  'top pages',
  'pages',
  'queries',
  'query falls',
  'shared falls',
  'speed',
  'places',
] as const
export const seedsPerGroup = 100_000
/** Of each size or kind within a group. */
export const seedsPerSize = 1_000

export type Seed = (group: (typeof seedGroups)[number], at: { site: number; size?: number }) => number

export const seedOf =
  (set: SeedSet): Seed =>
  (group, { site, size = 0 }) => {
    if (site >= seedsPerSize || size * seedsPerSize >= seedsPerGroup) throw new RangeError(`no seed for ${group} ${size} ${site}`)
    return seedSets[set] + seedGroups.indexOf(group) * seedsPerGroup + size * seedsPerSize + site
  }
