/** What this process's tests opened and haven't closed. */
const open = new Set<() => Promise<void>>()

/** Registers something that has to be closed: a test that fails before doing so must not affect the files after it. */
export function noteOpen(close: () => Promise<void>): () => Promise<void> {
  open.add(close)
  return async () => {
    if (open.delete(close)) await close()
  }
}

export async function closeWhatIsLeft(): Promise<void> {
  for (const close of open) {
    open.delete(close)
    await close()
  }
}
