import { Refusal } from '../../common/errors.ts'
import { wideNetworkOf } from '../../platform/network-of.ts'

/** Incoming files of one person from one network at once: each may take up to 4 GiB of disk until it is read. */
export const uploadsAtOnce = 3

/** Keeps one person's uploads, which wait on disk, from filling it; those from elsewhere, with a copied session, don't take the owner's. */
export function createUploadPlaces() {
  const taken = new Map<string, number>()
  return {
    /** Returns a function that gives the place back. @throws Refusal 429 if that many are taken already */
    take(userId: string, address: string): () => void {
      const place = `${userId} ${wideNetworkOf(address)}`
      const others = taken.get(place) ?? 0
      if (others >= uploadsAtOnce) {
        throw new Refusal(429, `${uploadsAtOnce} of your files are already being imported. Try this one again when one of them is done.`)
      }
      taken.set(place, others + 1)
      return () => {
        const left = (taken.get(place) ?? 1) - 1
        if (left > 0) taken.set(place, left)
        else taken.delete(place)
      }
    },
  }
}
