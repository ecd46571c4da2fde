import { once } from 'node:events'
import { Readable } from 'node:stream'
import type pg from 'pg'

/** `pg`'s support for COPY that its types don't declare: one method per protocol message. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** Each row is a message of its own; they are passed on in batches of this many bytes. */
const handedTogether = 64 * 1024

/** The number in `COPY 12`, the server's final message. */
const rowsIn = ({ text }: { text: string }): number => Number(text.split(' ')[1] ?? 0)

/**
 * The rows of `COPY … TO STDOUT`, as fast as they are read. If it isn't read to the end, its connection is stuck in the middle: close that.
 */
export class CopyOut extends Readable {
  /** The number of rows; known at the end. */
  rows = 0
  readonly #text: string
  #connection: pg.Connection | undefined
  #batch: Buffer[] = []
  #batched = 0

  constructor(text: string) {
    super({ highWaterMark: 4 * handedTogether })
    this.#text = text
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection
    connection.query(this.#text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The parser reuses its buffer.
    this.#batch.push(Buffer.from(chunk))
    this.#batched += chunk.length
    if (this.#batched >= handedTogether && !this.#handOn()) this.#connection?.stream.pause()
  }

  handleCommandComplete(message: { text: string }): void {
    this.rows = rowsIn(message)
  }

  handleError(error: Error): void {
    this.destroy(error)
  }

  handleReadyForQuery(): void {
    if (this.destroyed) return
    this.#handOn()
    this.push(null)
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}

  override _read(): void {
    this.#connection?.stream.resume()
  }

  #handOn(): boolean {
    if (this.#batch.length === 0) return true
    const batch = Buffer.concat(this.#batch)
    this.#batch = []
    this.#batched = 0
    return this.push(batch)
  }
}

/** Sends rows to `COPY … FROM STDIN`, as fast as they are accepted. @returns how many there were */
export function copyIn(client: pg.ClientBase, text: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0
    let failed: Error | undefined
    const feed = async (connection: CopyConnection): Promise<void> => {
      try {
        for await (const chunk of chunks) {
          if (failed) return
          connection.sendCopyFromChunk(chunk)
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
        }
        connection.endCopyFrom()
      } catch (error) {
        failed ??= error instanceof Error ? error : new Error(String(error))
        connection.sendCopyFail(failed.message)
      }
    }
    client.query({
      submit: (connection: pg.Connection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => void feed(connection),
      handleCommandComplete: (message: { text: string }) => void (rows = rowsIn(message)),
      handleError: (error: Error) => reject((failed ??= error)),
      handleReadyForQuery: () => (failed ? reject(failed) : resolve(rows)),
      handleRowDescription: () => {},
      handleEmptyQuery: () => {},
    } as pg.Submittable)
  })
}
