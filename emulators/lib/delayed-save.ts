/** Milliseconds: changes in quick succession are written once. */
const WRITE_AFTER = 100

/** Writes some time after the first unsaved change. */
export class DelayedSave {
  readonly #save: () => void
  #waiting: NodeJS.Timeout | undefined

  constructor(save: () => void) {
    this.#save = save
  }

  changed(): void {
    this.#waiting ??= setTimeout(() => this.flush(), WRITE_AFTER)
  }

  /** Writes unsaved changes. */
  flush(): void {
    if (this.#waiting === undefined) return
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#save()
  }
}
