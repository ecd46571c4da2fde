import type { Section, Words } from './lexicon/lexicon.ts'
import type { Profile } from './profiles.ts'
import { hashText, mix, normal, unit } from './random.ts'

interface Page {
  readonly url: string
  /** The last word of its subject: pages that share it compete for each other's queries. */
  readonly family: string
  readonly subject: string
  readonly weight: number
  readonly position: number
  readonly appearances: readonly string[]
  readonly words: Words
}

/** A query that can find a page. */
interface Pair {
  readonly page: number
  readonly query: number
  /** Relative popularity, before the ranking is turned into a Zipf curve. */
  readonly weight: number
  readonly position: number
  /** Whether a better page of the same site usually appears for this query too. */
  readonly second: boolean
}

/** All pages, queries and pairs of a property, most popular pairs first. */
export interface Universe {
  readonly pages: readonly Page[]
  readonly queries: readonly string[]
  readonly pairs: readonly Pair[]
}

function slug(subject: string): string {
  return subject.replaceAll(/[^a-z0-9]+/g, '-')
}

function makePages(profile: Profile, root: string, seed: number): Page[] {
  const found: Page[] = []
  const seen = new Set<string>()
  const add = (section: Section, subject: string, rank: number): void => {
    const url = new URL(`${section.path.replace('{slug}', slug(subject))}/`, root).href
    if (seen.has(url)) return
    seen.add(url)
    const luck = Math.exp(0.6 * normal(unit(mix(seed, hashText(url)))))
    found.push({
      url,
      subject,
      family: subject.split(' ').at(-1) ?? subject,
      weight: (section.weight * luck) / (rank + 3) ** 0.45,
      position: section.position,
      appearances: section.appearances ?? [],
      words: section.words ?? profile.lexicon.words,
    })
  }
  for (const section of profile.lexicon.sections) section.subjects.forEach((subject, rank) => add(section, subject, rank))
  found.sort((a, b) => b.weight - a.weight)
  const home: Page = {
    url: root,
    subject: '',
    family: '',
    weight: (found[0]?.weight ?? 1) * 1.2,
    position: 1.1,
    appearances: [],
    words: profile.lexicon.words,
  }
  return [home, ...found.slice(0, profile.pages - 1)]
}

function queriesFor(page: Page, profile: Profile, wanted: number, seed: number): string[] {
  if (page.subject === '') return profile.lexicon.brand.slice(0, wanted)
  const { before, after } = page.words
  const phrase = (b: number, a: number): string => [before[b], page.subject, after[a]].filter(Boolean).join(' ')
  const all: { text: string; order: number }[] = []
  for (let b = 0; b < before.length; b++) {
    for (let a = 0; a < after.length; a++) {
      // Plain wordings first, double decorations last; otherwise in a different order on each page.
      const order = (b > 0 ? 1 : 0) + (a > 0 ? 1 : 0) + 0.9 * unit(mix(seed, b * 64 + a))
      all.push({ text: phrase(b, a), order })
    }
  }
  return all
    .toSorted((x, y) => x.order - y.order)
    .slice(0, wanted)
    .map((entry) => entry.text)
}

/** Builds a property's tables once; at most `wanted` pairs. `root` is the URL prefix of its pages. */
export function buildUniverse(profile: Profile, root: string, seed: number, wanted: number): Universe {
  const pages = makePages(profile, root, seed)
  const families = new Map<string, number[]>()
  pages.forEach((page, index) => families.set(page.family, [...(families.get(page.family) ?? []), index]))
  const queryIds = new Map<string, number>()
  const pairs: Pair[] = []
  const totalWeight = pages.reduce((sum, page) => sum + Math.sqrt(page.weight), 0)
  const seen = new Set<number>()
  const push = (pair: Pair): void => {
    const key = pair.query * 100_000 + pair.page
    if (seen.has(key)) return
    seen.add(key)
    pairs.push(pair)
  }
  pages.forEach((page, index) => {
    const quota = Math.max(2, Math.round((1.04 * wanted * Math.sqrt(page.weight)) / totalWeight))
    // One pair in six is a second page for a query already counted.
    const texts = queriesFor(page, profile, Math.ceil(quota / 1.2), mix(seed, index))
    texts.forEach((text, rank) => {
      const known = queryIds.has(text)
      const query = queryIds.get(text) ?? queryIds.size
      queryIds.set(text, query)
      const draw = mix(mix(seed, query), 77)
      const spread = page.subject === '' ? 0.05 : 0.45
      const position = Math.min(70, Math.max(1.02, page.position * Math.exp(spread * normal(unit(draw)))))
      const weight = page.weight / (rank + 1) ** 0.8
      push({ page: index, query, weight, position: known ? position + 3 : position, second: known })
      const family = families.get(page.family) ?? []
      const other = family[mix(draw, 5) % Math.max(1, family.length)]
      if (unit(mix(draw, 6)) < 0.2 && other !== undefined && other !== index) {
        push({ page: other, query, weight: weight * 0.3, position: Math.min(80, position * 1.3 + 2), second: true })
      }
    })
  })
  pairs.sort((a, b) => b.weight - a.weight)
  return { pages, queries: [...queryIds.keys()], pairs: pairs.slice(0, wanted) }
}
