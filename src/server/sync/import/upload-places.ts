import { Refusal } from '../../common/errors.ts'

/** Incoming files of one person at once: each may take up to 4 GiB of disk until it is read. */
export const uploadsAtOnce = 3

/** Keeps one person's uploads, which wait on disk, from filling it. */
export function createUploadPlaces() {
  const taken = new Map<string, number>()
  return {
    /** Returns a function that gives the place back. @throws Refusal 429 if that many are taken already */
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
