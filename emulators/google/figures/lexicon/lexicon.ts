/** Put before and after a subject to make a query. The empty string is one of each and comes first. */
export interface Words {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** A group of pages of one sort, such as a shop's products. */
export interface Section {
  /** Path under the site's root, with {slug} for the subject. */
  readonly path: string
  /** What the pages are about, the words people search them by. Most important first. */
  readonly subjects: readonly string[]
  /** How much of the site's traffic a page of this section draws, relative to the others. */
  readonly weight: number
  /** Typical average position of the section's best queries. */
  readonly position: number
  /** How people ask for these pages, where it is not the way they ask for the others. */
  readonly words?: Words
  /** Search appearance of its pages, where they have one. */
  readonly appearance?: string
}

/** The words a sample business is found by. */
export interface Lexicon {
  /** Searches for the business itself; they find the home page. */
  readonly brand: readonly string[]
  readonly sections: readonly Section[]
  readonly words: Words
}

/** Every combination of two word lists, the first list changing fastest so that neighbours differ. */
export function cross(first: readonly string[], second: readonly string[]): string[] {
  const all: string[] = []
  for (let shift = 0; shift < first.length; shift++) {
    for (let i = 0; i < second.length; i++) all.push(`${first[(i + shift) % first.length]} ${second[i]}`)
  }
  return all
}
