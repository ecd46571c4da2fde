/** The last part of a disk is for what must go on: PostgreSQL, whose changes stop without room for its log, syncs and merges. */
const kept = { share: 0.05, bytes: 4 * 1024 ** 3 }

/** How many bytes of a disk are never used for what can wait, such as imports and temporary files of queries. */
export const reserveOf = (totalBytes: number): number => Math.floor(Math.min(kept.bytes, totalBytes * kept.share))
