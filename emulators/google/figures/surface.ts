import type { Incident } from './incidents.ts'
import type { SearchType, SurfaceSpec } from './profiles.ts'
import { hashText, mix, unit } from './random.ts'
import type { Universe } from './universe.ts'

/** Precomputed columns of everything that can occur on one property in one search type. Row i is one pair. */
export interface Surface {
  readonly seed: number
  readonly count: number
  /** No query and no position: discover and googleNews. */
  readonly feed: boolean
  readonly page: Int32Array
  /** -1: a search too rare to be named. */
  readonly query: Int32Array
  readonly mean: Float64Array
  readonly position: Float64Array
  readonly ctr: Float64Array
  /** Fraction of the unclicked impressions that also show a better page of the site. */
  readonly repeat: Float64Array
  /** Where in its slow waves a pair's position starts. */
  readonly phase: Uint16Array
  /** Incidents that affect a pair but not the whole site; undefined if there are none. */
  readonly incidents: readonly (readonly Incident[] | undefined)[]
  readonly siteIncidents: readonly Incident[]
}

function zipfScale(count: number, spec: SurfaceSpec): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += (i + 4) ** -spec.exponent
  return spec.impressions / sum
}

/** The pair's own incidents: those of its page and those of its query. */
function incidentsOf(universe: Universe, all: readonly Incident[], page: number, query: number): Incident[] | undefined {
  const found = all.filter(({ entity }) => {
    if (entity === 'site') return false
    return 'page' in entity ? entity.page === page : universe.pairs[entity.query]?.query === query
  })
  return found.length === 0 ? undefined : found
}

/** Builds the columns of one surface: the named pairs first, then one row per page for its anonymized searches. */
export function buildSurface(
  universe: Universe,
  type: SearchType,
  spec: SurfaceSpec,
  incidents: readonly Incident[],
  propertySeed: number,
): Surface {
  const seed = mix(propertySeed, hashText(type))
  const feed = type === 'discover' || type === 'googleNews'
  const named = type === 'web' ? universe.pairs : universe.pairs.filter((_, i) => unit(mix(seed, i)) < spec.pairs / universe.pairs.length)
  const pairs = feed ? [] : named.slice(0, spec.pairs)
  const count = pairs.length + universe.pages.length
  const surface = {
    seed,
    count,
    feed,
    page: new Int32Array(count),
    query: new Int32Array(count).fill(-1),
    mean: new Float64Array(count),
    position: new Float64Array(count),
    ctr: new Float64Array(count),
    repeat: new Float64Array(count),
    phase: new Uint16Array(count),
    incidents: [] as (Incident[] | undefined)[],
    siteIncidents: type === 'web' ? incidents.filter((incident) => incident.entity === 'site') : [],
  }
  const scale = zipfScale(feed ? universe.pages.length : pairs.length, spec)
  const perPage = new Float64Array(universe.pages.length)
  pairs.forEach((pair, i) => {
    surface.page[i] = pair.page
    surface.query[i] = pair.query
    surface.mean[i] = scale * (i + 4) ** -spec.exponent
    surface.position[i] = pair.position
    surface.repeat[i] = pair.second ? 0.75 : 0
    perPage[pair.page] = (perPage[pair.page] ?? 0) + (surface.mean[i] ?? 0)
  })
  universe.pages.forEach((page, index) => {
    const i = pairs.length + index
    surface.page[i] = index
    surface.mean[i] = feed ? scale * (index + 4) ** -spec.exponent : (perPage[index] ?? 0) * spec.anonymised
    // Rare searches are long, and long searches find a site a little further down.
    surface.position[i] = page.subject === '' ? 4 : page.position * 1.3
    surface.repeat[i] = feed ? 0 : 0.12
  })
  for (let i = 0; i < count; i++) {
    const draw = mix(seed, i + 1_000_003)
    surface.ctr[i] = spec.ctr * (0.65 + 0.7 * unit(draw))
    surface.phase[i] = draw & 0xffff
    surface.incidents.push(incidentsOf(universe, type === 'web' ? incidents : [], surface.page[i] ?? 0, surface.query[i] ?? -1))
  }
  return surface
}
