/** A growing list of texts with their ids, and each text as JSON, from which large responses are assembled. */
export class Names {
  readonly texts: string[] = []
  readonly json: string[] = []
  readonly #ids = new Map<string, number>()

  get size(): number {
    return this.texts.length
  }

  /** The text's id; a new text gets the next one. */
  add(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const id = this.texts.length
    this.#ids.set(text, id)
    this.texts.push(text)
    this.json.push(JSON.stringify(text))
    return id
  }
}
