import type { Season } from './curves.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { blogLexicon } from './lexicon/blog.ts'
import { largeLexicon } from './lexicon/large.ts'
import { localLexicon } from './lexicon/local.ts'
import { shopLexicon } from './lexicon/shop.ts'

export type SearchType = 'web' | 'image' | 'video' | 'news' | 'discover' | 'googleNews'

/** How one search type finds a property. */
export interface SurfaceSpec {
  /** All possible pairs of query and page; on an ordinary day the rarer ones don't occur. */
  readonly pairs: number
  /** Expected impressions per day over all pairs, on an average day of 2024. */
  readonly impressions: number
  /** Zipf exponent of the pairs. */
  readonly exponent: number
  /** Factor on the usual click-through rate. */
  readonly ctr: number
  /** Impressions of searches too rare to be named, relative to the named ones. */
  readonly anonymised: number
}

export type ProfileName = 'shop' | 'blog' | 'local' | 'large'

/** Everything that defines a sample business. */
export interface Profile {
  readonly name: ProfileName
  readonly lexicon: Lexicon
  readonly pages: number
  readonly season: Season
  readonly countries: readonly (readonly [string, number])[]
  /** Fractions for DESKTOP, MOBILE and TABLET. */
  readonly devices: readonly [number, number, number]
  readonly surfaces: Readonly<Partial<Record<SearchType, SurfaceSpec>>>
}

const english: Profile['countries'] = [
  ['gbr', 62],
  ['usa', 14],
  ['irl', 5],
  ['aus', 4],
  ['can', 3.5],
  ['deu', 2.5],
  ['fra', 2],
  ['nld', 1.6],
  ['nzl', 1.2],
  ['ind', 1.1],
  ['esp', 0.8],
  ['ita', 0.7],
  ['swe', 0.6],
  ['bel', 0.5],
  ['zaf', 0.5],
]
const worldwide: Profile['countries'] = [
  ['usa', 44],
  ['gbr', 17],
  ['can', 8],
  ['aus', 7],
  ['ind', 6],
  ['deu', 3],
  ['irl', 2],
  ['nzl', 2],
  ['phl', 2],
  ['zaf', 1.5],
  ['sgp', 1.3],
  ['nld', 1.2],
  ['fra', 1.2],
  ['mys', 1],
  ['bra', 0.9],
  ['mex', 0.8],
  ['ita', 0.6],
  ['swe', 0.5],
]
const shopping = {
  '11-27': 1.25,
  '11-28': 1.6,
  '11-29': 1.45,
  '12-01': 1.4,
  '12-24': 0.7,
  '12-25': 0.55,
  '12-26': 1.2,
  '12-31': 0.8,
  '01-01': 0.85,
}

/** The sample businesses, by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  shop: {
    name: 'shop',
    lexicon: shopLexicon,
    pages: 230,
    season: { week: [1.14, 1.05, 1, 0.98, 0.97, 0.92, 1], yearly: 0.2, peakDay: 330, growth: 0.16, holidays: shopping },
    countries: english,
    devices: [0.34, 0.61, 0.05],
    surfaces: {
      web: { pairs: 2000, impressions: 6_800, exponent: 0.92, ctr: 1, anonymised: 0.55 },
      image: { pairs: 300, impressions: 1_500, exponent: 0.8, ctr: 0.12, anonymised: 0.8 },
    },
  },
  blog: {
    name: 'blog',
    lexicon: blogLexicon,
    pages: 110,
    season: {
      week: [1.25, 0.95, 0.92, 0.92, 0.94, 1, 1.2],
      yearly: 0.24,
      peakDay: 350,
      growth: 0.3,
      holidays: { '11-27': 1.2, '12-23': 1.4, '12-24': 1.35, '12-25': 1.05, '01-01': 1.1, '03-17': 1.15 },
    },
    countries: worldwide,
    devices: [0.27, 0.66, 0.07],
    surfaces: {
      web: { pairs: 690, impressions: 3_400, exponent: 0.95, ctr: 1.15, anonymised: 0.7 },
      discover: { pairs: 0, impressions: 1_500, exponent: 0.9, ctr: 0.06, anonymised: 0 },
      googleNews: { pairs: 0, impressions: 220, exponent: 1, ctr: 0.09, anonymised: 0 },
    },
  },
  local: {
    name: 'local',
    lexicon: localLexicon,
    pages: 34,
    season: {
      week: [0.62, 1.3, 1.18, 1.1, 1.05, 0.95, 0.72],
      yearly: 0.08,
      peakDay: 20,
      growth: 0.08,
      holidays: { '12-24': 0.5, '12-25': 0.25, '12-26': 0.4, '12-31': 0.6, '01-01': 0.5 },
    },
    countries: [
      ['gbr', 93],
      ['usa', 2.5],
      ['irl', 1.6],
      ['ind', 1],
      ['aus', 0.8],
      ['fra', 0.6],
      ['esp', 0.5],
    ],
    devices: [0.25, 0.71, 0.04],
    surfaces: { web: { pairs: 125, impressions: 480, exponent: 0.85, ctr: 1.5, anonymised: 0.5 } },
  },
  large: {
    name: 'large',
    lexicon: largeLexicon,
    pages: 4000,
    season: { week: [1.1, 1.03, 1, 0.98, 0.98, 0.96, 1.05], yearly: 0.06, peakDay: 190, growth: 0.04, holidays: shopping },
    countries: worldwide,
    devices: [0.38, 0.57, 0.05],
    surfaces: { web: { pairs: 55_500, impressions: 240_000, exponent: 0.6, ctr: 1, anonymised: 0.45 } },
  },
}
