import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows are read for this long before other requests get their turn: a piece of a file may have thousands, each of which takes a while. */
const turnMs = 20

/** Tells whether it is time to let other requests have their turn, and lets them. */
export function createTurns() {
  let since = performance.now()
  return {
    areDue: (): boolean => performance.now() - since > turnMs,
    async pass(): Promise<void> {
      await nextTurn()
      since = performance.now()
    },
  }
}
