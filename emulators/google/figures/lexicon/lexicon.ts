/** Added before and after a subject to make a query. Each list starts with the empty string. */
export interface Words {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** A group of similar pages, such as a shop's products. */
export interface Section {
  /** Path under the site's root, with {slug} for the subject. */
  readonly path: string
  /** What the pages are about, in the words people search for. Most important first. */
  readonly subjects: readonly string[]
  /** How much of the site's traffic a page of this section gets, relative to the others. */
  readonly weight: number
  /** Typical average position of the section's best queries. */
  readonly position: number
  /** How people ask for these pages, if different from the others. */
  readonly words?: Words
  /** Search appearances of its pages, if any; a result then has all of them. */
  readonly appearances?: readonly string[]
}

/** The words that a sample business is found by. */
export interface Lexicon {
  /** Searches for the business itself; they find the home page. */
  readonly brand: readonly string[]
  readonly sections: readonly Section[]
  readonly words: Words
}

/** Every combination of two word lists, the first list changing fastest so that neighbors differ. */
export function cross(first: readonly string[], second: readonly string[]): string[] {
  const all: string[] = []
  for (let shift = 0; shift < first.length; shift++) {
    for (let i = 0; i < second.length; i++) all.push(`${first[(i + shift) % first.length]} ${second[i]}`)
  }
  return all
}
