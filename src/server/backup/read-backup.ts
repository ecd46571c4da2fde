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
  /** Reads everything once. @throws BackupProblem when anything is missing or not as it was written */
  verify(): Promise<void>
  close(): void
}

/** The form that our pg-boss gives its tables. */
const jobsVersion = bossPackage.pgboss.schema

/** More than any manifest has. */
const mostManifest = 256 * 1024 ** 2

/** Opens a backup and reads what it says of itself. @throws BackupProblem when it is none, or one that this program cannot read */
export async function openBackup(file: string): Promise<Backup> {
  const damaged = (what: string): BackupProblem => new BackupProblem(`${file} is damaged or not a whole backup: ${what}`)
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
          if (sum.bytes !== bytes || sum.sha256 !== sha256) throw damaged(`${name} is not what was written`)
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
      if (!parsed.success) throw damaged(`${manifestName} is not one of ours`)
      return parsed.data
    }
  } catch (error) {
    close()
    throw error
  }
}

/** What tells its age, as far as a program to come still says it so. */
const ageSchema = manifestSchema.pick({ format: true, version: true, migrations: true, jobs: true }).partial()
const tablesSchema = z.object({ facts: z.array(z.object({ table: z.string() })) })
const factsTables = [pointerTable, ...rowTables]

/** Comes before the rest, which this program may not make sense of. */
function refuseNewer(file: string, written: unknown): void {
  const { success, data } = ageSchema.safeParse(written)
  if (!success) return
  const { format = 0, version = 'its version is not told', migrations: seen = [], jobs = 0 } = data
  const facts = tablesSchema.safeParse(written).data?.facts ?? []
  if (
    format > backupFormat ||
    jobs > jobsVersion ||
    seen.some((name) => !(name in migrations)) ||
    facts.some(({ table }) => !factsTables.includes(table))
  )
    throw newerProblem(file, version)
}

/** @param version the program's that made it */
export const newerProblem = (file: string, version: string): BackupProblem =>
  new BackupProblem(`${file} was made by a newer Ranklark (${version}): install that version or a later one, and restore with it`)

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
