type Listener = () => void

// Whatever asks meanwhile waits for the same answer.
let asked: { answer: Promise<boolean>; settle: (proven: boolean) => void } | null = null
const listeners = new Set<Listener>()

function change(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Has the person prove that it is still them (ProofDialog.tsx). Answers false when they would rather not. */
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

/** Over which the window that was at Google tells the one that waits for it how it went. */
export const proofChannel = (): BroadcastChannel => new BroadcastChannel('ranklark-proof')
