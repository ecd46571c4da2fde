import { isUtf8 } from 'node:buffer'
import { pipeline, type Readable, Transform } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { ImportRefusal, shown } from '../refusal.ts'
import { counted, maxUnpacked, type Source } from './source.ts'

/** Search Console writes seven or eight files; a few hundred from another tool aren't a zip bomb either. */
const maxEntries = 500

export type Archive = { tables: Source[]; close(): void }

const damaged = (file?: string): ImportRefusal => new ImportRefusal('The ZIP is damaged: download it again', { file })

/**
 * Opens a ZIP to read its text files. Names only serve as labels: nothing is unpacked to disk, so a path in them does no harm.
 * @throws ImportRefusal
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true }).catch(() => {
    throw damaged()
  })
  try {
    return { tables: await listTables(zip), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error instanceof ImportRefusal ? error : damaged()
  }
}

async function listTables(zip: ZipFile): Promise<Source[]> {
  if (zip.entryCount > maxEntries) throw new ImportRefusal(`The ZIP contains ${zip.entryCount} files. The limit is ${maxEntries}`)
  const tables: Source[] = []
  const places: { start: number; end: number }[] = []
  let inflated = 0
  for await (const entry of zip.eachEntry()) {
    const path = nameOf(entry).replaceAll('\\', '/')
    const name = path.split('/').pop() ?? ''
    const label = shown(name)
    inflated += entry.uncompressedSize
    places.push(placeOf(entry))
    if (inflated > maxUnpacked) throw new ImportRefusal('The ZIP is larger than 16 GB when unpacked: split it by date', {}, 413)
    if (name === '[Content_Types].xml')
      throw new ImportRefusal('This is an Excel workbook: choose "Download CSV" under Export in Search Console')
    // macOS adds these to every file.
    if (path.startsWith('__MACOSX/') || name.startsWith('.') || !/\.(?:csv|tsv|jsonl?|ndjson|gz)$/i.test(name)) continue
    if (entry.isEncrypted()) throw new ImportRefusal('The ZIP is password-protected: create it again without a password', { file: label })
    if (!entry.canDecodeFileData())
      throw new ImportRefusal('The ZIP uses an unsupported compression method: create it again as a standard ZIP', { file: label })
    tables.push({
      label,
      size: entry.uncompressedSize,
      packed: entry.compressedSize,
      open: async (onRead) =>
        counted(checked(await zip.openReadStreamPromise(entry).catch(() => Promise.reject(damaged(label))), entry, label), onRead),
    })
  }
  // A small ZIP would hold far more than its size allows if its entries shared their bytes.
  const sorted = places.sort((one, other) => one.start - other.start)
  if (sorted.some(({ start }, at) => start < (sorted[at - 1]?.end ?? 0))) throw damaged()
  return tables
}

const localHeaderBytes = 30

/** The bytes that an entry occupies at least: its header has a name of unknown length as well. */
const placeOf = ({ relativeOffsetOfLocalHeader: start, compressedSize }: Entry) => ({
  start,
  end: start + localHeaderBytes + compressedSize,
})

/** Set if the name is UTF-8; many tools write UTF-8 without setting it. */
const saysUtf8 = 0x800

/** Decodes a name: UTF-8 if the ZIP says so or the bytes are valid, else DOS encoding. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flag = isUtf8(fileNameRaw) ? generalPurposeBitFlag | saysUtf8 : generalPurposeBitFlag
  return getFileNameLowLevel(flag, fileNameRaw, extraFields, false)
}

/** The entry's bytes, refused at the end if they differ from the packed ones. yauzl enforces the stated size. */
function checked(stream: Readable, entry: Entry, label: string): AsyncIterable<Uint8Array> {
  let sum = 0
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum)
      done(null, chunk)
    },
    flush: (done) => done(sum === entry.crc32 ? null : damaged(label)),
  })
  // Leaving a stream early isn't an error; real errors reach the reader through `check`.
  pipeline(stream, check, () => {})
  return refusing(check, label)
}

async function* refusing(stream: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw error instanceof ImportRefusal ? error : damaged(label)
  }
}
