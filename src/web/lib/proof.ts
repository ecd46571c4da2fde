type Listener = () => void

// Further requests meanwhile wait for the same answer.
let asked: { answer: Promise<boolean>; settle: (proven: boolean) => void } | null = null
const listeners = new Set<Listener>()

function change(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Asks the person to prove their identity (ProofDialog.tsx). Returns false if they decline. */
export function askForProof(): Promise<boolean> {
  if (asked === null) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    change({ answer: promise, settle: resolve })
    return promise
  }
  return asked.answer
}

export const proofStore = {
  subscribe(listener: Listener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isAsked: () => asked !== null,
  settle(proven: boolean): void {
    asked?.settle(proven)
    change(null)
  },
}

/** The channel for the window that was at Google to report the result to the waiting one. */
export const proofChannel = (): BroadcastChannel => new BroadcastChannel('ranklark-proof')
