import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** Text, or an iterable that yields it; read only when its turn in the archive comes. */
export type FileContent = string | AsyncIterable<string | Uint8Array>
/** A file in an archive; `name` is its path, with slashes. `stored`: it is compressed already, and goes in unchanged. */
export type ArchiveFile = { name: string; content: FileContent; stored?: boolean }

/**
 * A ZIP created on the fly, file by file, as fast as it is read: only the current piece is in memory. If the reader leaves, the current
 * file is closed and no other is started. If a file fails, the stream fails, so that nobody mistakes half an archive for a whole one.
 */
export function zipStream(files: readonly ArchiveFile[], madeAt: Date): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  let current: Readable | undefined
  zip.on('error', (error: Error) => output.destroy(error))
  output.on('close', () => {
    current?.destroy()
  })
  for (const { name, content, stored = false } of files) {
    zip.addReadStreamLazy(name, { mtime: madeAt, compress: !stored }, (give) => {
      if (output.destroyed) return
      current = Readable.from(typeof content === 'string' ? [content] : content, { objectMode: false })
      current.on('error', (error) => output.destroy(error))
      give(null, current)
    })
  }
  zip.end()
  zip.outputStream.pipe(output)
  return output
}
