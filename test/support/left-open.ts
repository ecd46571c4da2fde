/** What tests of this process opened and have not closed. */
const open = new Set<() => Promise<void>>()

/** Notes something that has to be closed: a test that fails on its way to that must not keep it from the files after it. */
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
