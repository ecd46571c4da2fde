/** Milliseconds: changes that come close together are written once. */
const WRITE_AFTER = 100

/** Writes a while after the first change that is not yet written. */
export class DelayedSave {
  readonly #save: () => void
  #waiting: NodeJS.Timeout | undefined

  constructor(save: () => void) {
    this.#save = save
  }

  changed(): void {
    this.#waiting ??= setTimeout(() => this.flush(), WRITE_AFTER)
  }

  /** Writes what is not yet written. */
  flush(): void {
    if (this.#waiting === undefined) return
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#save()
  }
}
