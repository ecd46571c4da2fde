import { Refusal } from '../../common/errors.ts'

/** Files of one person on their way in at once: each may take up to 4 GiB of the disk until it is read. */
export const uploadsAtOnce = 3

/** Keeps one person's uploads, which wait on disk for their turn, from filling it. */
export function createUploadPlaces() {
  const taken = new Map<string, number>()
  return {
    /** Answers how to give the place back. @throws Refusal 429 when that many are taken already */
    take(userId: string): () => void {
      const others = taken.get(userId) ?? 0
      if (others >= uploadsAtOnce) {
        throw new Refusal(429, `${uploadsAtOnce} of your files are already being imported. Try this one again when one of them is done.`)
      }
      taken.set(userId, others + 1)
      return () => {
        const left = (taken.get(userId) ?? 1) - 1
        if (left > 0) taken.set(userId, left)
        else taken.delete(userId)
      }
    },
  }
}
