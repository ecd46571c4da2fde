import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** Text, or what gives it piece by piece; asked for only when its turn in the archive has come. */
export type FileContent = string | AsyncIterable<string | Uint8Array>
/** A file of an archive; `name` is its path, with slashes. `stored`: it is compressed already, and goes in as it is. */
export type ArchiveFile = { name: string; content: FileContent; stored?: boolean }

/**
 * A ZIP as it is being made, file after file, as fast as it is read: nothing but the piece at hand is in memory.
 * When the reader goes away the file at hand is closed and no other is begun. When a file fails the stream fails, so
 * that nobody takes half an archive for a whole one.
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
