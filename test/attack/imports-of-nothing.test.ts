import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { createImportService } from '../../src/server/sync/import/service.ts'
import { knownSize, LongerThanAllowed, openSources } from '../../src/server/sync/import/sources.ts'
import { zipOf } from '../support/import-files.ts'
import { storesTest as it } from '../support/import-stores.ts'

// Files that keep a slot busy with nothing.

const clock = { now: () => new Date('2026-11-20T20:00:00Z') }
const rows = (count: number) =>
  'date,query,clicks,impressions,position\n' + Array.from({ length: count }, (_, at) => `2026-07-01,w${at},1,10,5\n`).join('')

/** A ZIP of one file, packed by somebody else. */
function zipAround(name: string, packed: Buffer, content: string): Buffer {
  const about = Buffer.alloc(26)
  about.writeUInt16LE(20, 0)
  about.writeUInt16LE(8, 4)
  about.writeUInt32LE(crc32(content), 10)
  about.writeUInt32LE(packed.length, 14)
  about.writeUInt32LE(content.length, 18)
  about.writeUInt16LE(name.length, 22)
  const file = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed])
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), about, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(entry.length, 8)
  end.writeUInt32LE(file.length, 12)
  return Buffer.concat([file, entry, Buffer.from('PK\x05\x06'), end])
}

describe('packed bytes that unpack to nothing', () => {
  /** A file of a few rows, followed by this many packed files without content. */
  const withEmpty = (files: number) => Buffer.concat([gzipSync(rows(3)), ...Array.from({ length: files }, () => gzipSync(''))])
  /** The same with a file name of this length. */
  function withLongName(length: number): Buffer {
    const file = gzipSync(rows(3))
    const [flags, hasName] = [3, 8]
    file[flags] = hasName
    return Buffer.concat([file.subarray(0, 10), Buffer.alloc(length, 'a'), Buffer.alloc(1), file.subarray(10)])
  }

  it('count as the bytes that they take up: toward the rows of a day, and as a long file', { tags: ['full'] }, async ({ stores }) => {
    const imports = createImportService({ ...stores, clock, bounds: { mostRows: 1e3, mostRowsADay: 150, rowsOfMonth: 1, longBytes: 1e6 } })
    const take = (userId: string, propertyName: string, content: string | Uint8Array, name = 'a.csv') =>
      imports.importFiles({ userId, propertyName, files: [{ name, content: Readable.from([Buffer.from(content)]) }] })
    const enough = { ok: false, status: 429, problem: { message: expect.stringContaining('up to 150 rows a day') as string } }
    const files = { 'empty.csv.gz': withEmpty(10_000), 'named.csv.gz': withLongName(200 * 1024) }
    for (const [name, content] of Object.entries(files)) {
      const packed = { [name]: content, 'all.zip': zipOf({ [name]: content }) }
      for (const [as, bytes] of Object.entries(packed)) {
        const attacker = await stores.person()
        // It is read once; after that, the day's rows are used up.
        expect(await take(attacker, 'one', bytes, as)).toMatchObject({ ok: true, answer: { rows: 3 } })
        expect(await take(attacker, 'two', rows(1))).toMatchObject(enough)
      }
    }
    const reading = async (content: Buffer, most: number) => {
      const path = join(stores.dataDir, 'packed.csv.gz')
      writeFileSync(path, content)
      const { list, close } = await openSources([{ path, name: 'packed.csv.gz', size: content.length }], { most })
      try {
        for await (const _ of await list[0]!.open());
      } finally {
        close()
        rmSync(path)
      }
    }
    for (const content of Object.values(files)) {
      await expect(reading(content, 100_000)).rejects.toThrow(LongerThanAllowed)
      await reading(content, 300_000)
    }
  })

  it('of a ZIP count too: its own compression may also unpack to nothing', async ({ stores }) => {
    const path = join(stores.dataDir, 'empty-blocks.zip')
    // A block without content, and one more may follow.
    const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff])
    const blocks = Buffer.concat([...Array.from({ length: 40_000 }, () => emptyBlock), deflateRawSync(rows(3))])
    writeFileSync(path, zipAround('a.csv', blocks, rows(3)))
    const files = [{ path, name: 'empty-blocks.zip', size: blocks.length }]
    expect(await knownSize(files)).toBe(blocks.length)
    const { list, close } = await openSources(files, { most: 100_000 })
    await expect(list[0]!.open()).rejects.toThrow(LongerThanAllowed)
    close()
    rmSync(path)
  })
})
