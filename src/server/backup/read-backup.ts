import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { z } from 'zod'
import { migrations } from '../database/migrations/index.ts'
import { pointerTable, rowTables } from './facts-files.ts'
import { backupFormat, type Manifest, manifestName, manifestSchema } from './manifest.ts'
import { BackupProblem } from './problem.ts'

export type Backup = {
  readonly manifest: Manifest
  /** The bytes of one of its files. */
  content(name: string): Promise<AsyncIterable<Uint8Array>>
  /** Reads everything once. @throws BackupProblem if anything is missing or differs from what was written */
  verify(): Promise<void>
  close(): void
}

/** The schema version of our pg-boss's tables. */
const jobsVersion = bossPackage.pgboss.schema

/** More than any manifest has. */
const mostManifest = 256 * 1024 ** 2

/** Opens a backup and reads its manifest. @throws BackupProblem if it isn't a backup, or this version can't read it */
export async function openBackup(file: string): Promise<Backup> {
  const damaged = (what: string): BackupProblem => new BackupProblem(`${file} is damaged or incomplete: ${what}`)
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true }).catch((error: unknown) => {
    throw damaged(error instanceof Error ? error.message : String(error))
  })
  const close = (): void => zip.close()

  try {
    const entries = await entriesOf(zip).catch((error: unknown) => {
      throw damaged(error instanceof Error ? error.message : String(error))
    })
    const content = async (name: string): Promise<AsyncIterable<Uint8Array>> => {
      const entry = entries.get(name)
      if (!entry) throw damaged(`${name} is missing`)
      return zip.openReadStreamPromise(entry)
    }
    const manifest = await readManifest()
    return {
      manifest,
      content,
      async verify() {
        for (const { file: name, bytes, sha256 } of [...manifest.postgres, ...manifest.facts, ...manifest.others]) {
          const sum = await sumOf(await content(name)).catch((error: unknown) => {
            throw error instanceof BackupProblem ? error : damaged(`${name}: ${error instanceof Error ? error.message : String(error)}`)
          })
          if (sum.bytes !== bytes || sum.sha256 !== sha256) throw damaged(`${name} does not match its checksum`)
        }
      },
      close,
    }

    async function readManifest(): Promise<Manifest> {
      if ((entries.get(manifestName)?.uncompressedSize ?? 0) > mostManifest) throw damaged('its manifest is too long')
      const written: unknown = await content(manifestName)
        .then(async (bytes) => JSON.parse(await text(bytes as AsyncIterable<Buffer>)) as unknown)
        .catch((error: unknown) => {
          throw error instanceof BackupProblem ? error : damaged(`${manifestName} cannot be read`)
        })
      refuseNewer(file, written)
      const parsed = manifestSchema.safeParse(written)
      if (!parsed.success) throw damaged(`${manifestName} was not written by Ranklark`)
      return parsed.data
    }
  } catch (error) {
    close()
    throw error
  }
}

/** What identifies its version, as long as future versions still state it like this. */
const ageSchema = manifestSchema.pick({ format: true, version: true, migrations: true, jobs: true }).partial()
const tablesSchema = z.object({ facts: z.array(z.object({ table: z.string() })) })
const factsTables = [pointerTable, ...rowTables]

/** Checked before the rest, which this version may not understand. */
function refuseNewer(file: string, written: unknown): void {
  const { success, data } = ageSchema.safeParse(written)
  if (!success) return
  const { format = 0, version = 'an unknown version', migrations: seen = [], jobs = 0 } = data
  const facts = tablesSchema.safeParse(written).data?.facts ?? []
  if (
    format > backupFormat ||
    jobs > jobsVersion ||
    seen.some((name) => !(name in migrations)) ||
    facts.some(({ table }) => !factsTables.includes(table))
  )
    throw newerProblem(file, version)
}

/** @param version the version of the app that made it */
export const newerProblem = (file: string, version: string): BackupProblem =>
  new BackupProblem(
    `${file} was made by a newer version of Ranklark (${version}): install that version or a later one, and restore with it`,
  )

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  return entries
}

async function sumOf(content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
