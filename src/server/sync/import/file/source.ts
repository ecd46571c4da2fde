/** Limit for everything in an upload, unpacked: a year of 50,000 rows a day is 7 GB of CSV. */
export const maxUnpacked = 16 * 1024 ** 3

/** Receives the number of a source's bytes read so far; see `Source.size`. */
export type OnRead = (bytes: number) => void

/** Receives the number of rows that were read and are not kept; may throw once there are too many. */
export type OnUnkept = (rows: number) => void

/** A file that can be read repeatedly from its beginning. `label` names it in messages; a single bare upload has none. */
export type Source = {
  label: string | undefined
  /** Bytes reported to `onRead` by the end of a read. */
  size: number
  /** Bytes that it takes up packed in a ZIP. */
  packed?: number
  open(onRead?: OnRead): Promise<AsyncIterable<Uint8Array>>
}

/** The same bytes, passing each piece to `see`. */
export async function* observed(bytes: AsyncIterable<Uint8Array>, see: (piece: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    see(piece)
    yield piece
  }
}

/** The same bytes, reported as they are read. */
export const counted = (bytes: AsyncIterable<Uint8Array>, onRead: OnRead | undefined): AsyncGenerator<Uint8Array> =>
  observed(bytes, (piece) => onRead?.(piece.length))
