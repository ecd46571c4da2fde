import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { IsoDate } from '../../../contract/common.ts'
import { type ImportAnswer, type ImportProblem, type ImportProgress, mostImportedRows } from '../../../contract/import.ts'
import { pacificDay } from '../../../core/analytics/days.ts'
import type { Offer } from '../../../core/billing/offer.ts'
import type { Requester } from '../../accounts/service.ts'
import type { Refusal } from '../../common/errors.ts'
import { isShownToOthers, mayChangeShown } from '../../common/shown-to-others.ts'
import { createLocks } from '../../database/locks.ts'
import type { Db } from '../../database/open.ts'
import { diskRooms, spareRoom } from '../../facts/disk-rooms.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { Clock } from '../../platform/clock.ts'
import { createFairShare } from '../../platform/fair-share.ts'
import type { Log } from '../../platform/log.ts'
import { endUnfinished, noteUnfinished } from '../forgotten.ts'
import { isNumberedShard } from './bulk/upload.ts'
import { createDayCharge } from './day-charge.ts'
import { googleFrom } from './file/google-days.ts'
import { loadRows } from './load-rows.ts'
import { leftOutNotes, notesOf } from './notes.ts'
import { openUpload } from './read-upload.ts'
import { noRoom, receive, type Received, removeAll, roomForUpload } from './receive.ts'
import { ImportRefusal, shown } from './refusal.ts'
import { isNewAccount, type RowBounds, rowLimitsOf } from './row-limits.ts'
import { knownSize, LongerThanAllowed } from './sources.ts'
import { noteLoads, storedRows } from './loads.ts'
import { findImport, findProperty, nextPropertyId, recordImport, siteRefusal, whileSame, withImportLock } from './store.ts'
import { findUser } from './users.ts'

export type ImportDeps = {
  pool: pg.Pool
  db: Db
  facts: FactsStore
  dataDir: string
  offer: Offer
  bounds?: Partial<ImportBounds>
  /** Whether to use the demo's account if nobody is named. */
  demo?: boolean
  clock: Clock
  log?: Log
  /** Called after new days are stored; handles its own failures. */
  onImported?: (event: { propertyId: number; from: IsoDate; through: IsoDate }) => Promise<void>
}

export type ImportRequest = {
  userId: string
  /** As the request came in; absent on the command line. */
  requester?: Requester & { email: string }
  propertyName: string
  /** Requested by whoever controls the machine, who alone decides how much goes onto it. */
  ofThisMachine?: boolean
  /** Reports the progress of reading the files. */
  onProgress?: (progress: ImportProgress) => void
}

/** Errors are values: a refused file comes with its line and reason. */
export type ImportResult = { ok: true; answer: ImportAnswer } | { ok: false; status: Refusal['status']; problem: ImportProblem }

/**
 * Rows an account may have stored, and rows it may send in a day (refused or replaced ones take up room until the nightly sweep); the
 * minimum number of rows that a month written to the store counts as; after how many rows the day is charged; the unpacked size above which
 * an upload counts as long; and how long an import waits for another into the same property.
 */
export type ImportBounds = RowBounds & { rowsOfMonth: number; chargedRows: number; longBytes: number; lockTimeoutMs: number }
const usualBounds: ImportBounds = {
  mostRows: mostImportedRows,
  mostRowsADay: mostImportedRows,
  mostRowsOfNew: mostImportedRows / 10,
  // The store has a part for each month of each insert and merges all accounts' parts; small ones cost it no less than this.
  rowsOfMonth: 2_500,
  chargedRows: 100_000,
  longBytes: 64 * 1024 ** 2,
  lockTimeoutMs: 10_000,
}
/**
 * Each import may hold a hundred megabytes of sums, so two run at a time. One place is for long uploads, the other for short ones, so that
 * two people's gigabytes don't hold up anybody's spreadsheet. At both, people take turns.
 */
const atATime = { places: 1, perTenant: 1, isScarce: true }
/** A file may be read this often: its beginning, its dates, a comparison with other tables, and its rows. */
const readings = 4
/** Number of unpacked bytes read that count as at least one row of the daily limit: columns that aren't stored and long fields take time to read, too. */
const bytesOfRow = 1024

export type ImportService = ReturnType<typeof createImportService>

/** Imports Search Console's exports, its bulk exports and long CSVs, whole or not at all. */
export function createImportService(deps: ImportDeps) {
  const bounds = { ...usualBounds, ...deps.bounds }
  const { rowsOfMonth, chargedRows, longBytes, lockTimeoutMs } = bounds
  const [long, short] = [createFairShare(atATime), createFairShare(atATime)]
  const publishing = createLocks(deps.db, 2, '10min')

  async function importReceived(files: readonly Received[], request: ImportRequest): Promise<ImportAnswer> {
    const name = propertyName(request.propertyName)
    const sha256 = fingerprintOf(files)
    const work = (most?: number) => () =>
      withImportLock(deps.pool, { userId: request.userId, name, patienceMs: lockTimeoutMs }, (held) =>
        importLocked(files, { ...request, propertyName: name, sha256, most }, held),
      )
    try {
      if ((await knownSize(files)) <= longBytes) return await short.run(request.userId, work(readings * longBytes))
    } catch (error) {
      // A gzip file shows its length only while it is read. Nothing of it is visible yet, so it starts again where it belongs.
      if (!(error instanceof LongerThanAllowed)) throw error
    }
    return long.run(request.userId, work())
  }

  async function importLocked(
    files: readonly Received[],
    request: ImportRequest & { sha256: string; most: number | undefined },
    lockHeld: () => boolean,
  ): Promise<ImportAnswer> {
    const { userId, propertyName: name, sha256, most, onProgress, ofThisMachine = false } = request
    const known = await findProperty(deps.db, userId, name)
    if (known?.detachedAt) {
      throw new ImportRefusal(`"${shown(name)}" is disconnected from Google: reconnect it, or choose another name`, {
        field: 'property',
      })
    }
    const person: Requester = request.requester ?? { id: userId }
    if (!known) await mustHavePlace(person, name)
    const before = known?.kind === 'imported' ? await findImport(deps.db, known.id, sha256) : undefined
    if (before) return { property: name, changed: false, ...before }

    if (!ofThisMachine && (await deps.facts.ask(diskRooms)).some((room) => spareRoom(room) <= 0)) throw noRoom()
    const limits = await rowLimitsOf(deps.db, userId, bounds, deps.clock.now())
    const left = ofThisMachine ? Infinity : limits.stored - (await storedRows(deps.db, deps.facts, userId))
    if (left <= 0) throw limits.tooMany()
    const day = createDayCharge(deps, { userId, aDay: limits.aDay, step: chargedRows, isFree: ofThisMachine })
    const leftToday = await day.left()
    if (leftToday <= 0) throw limits.tooManyToday()
    let [worthRead, scattered, unpacked, bytes] = [0, 0, 0, 0]
    const worth = (): number => Math.max(worthRead, Math.floor(unpacked / bytesOfRow))
    const enough = () => (scattered > worthRead / 2 ? limits.tooScattered() : limits.tooManyToday())
    /** Whatever is read counts, kept or not. */
    function count(more: number): void {
      worthRead += more
      if (!day.note(worth()) || worthRead > leftToday) throw enough()
    }
    /** So does the shortfall of months that are written only a few rows at a time. */
    function countMonths(months: readonly number[]): void {
      const missing = months.reduce((sum, rows) => sum + Math.max(0, rowsOfMonth - rows), 0)
      scattered += missing
      count(missing)
    }

    const propertyId = known?.id ?? (await nextPropertyId(deps.pool))
    const today = pacificDay(deps.clock.now())
    const reading = {
      today,
      onRead: (more: number) => (bytes += more),
      onUnpacked: (more: number) => (unpacked += more),
      onUnkept: count,
      ...(most !== undefined && { most }),
    }
    const upload = await openUpload(files, reading).catch(async (error: unknown) => {
      await day.end(worth())
      throw error
    })
    try {
      if (!known) await noteUnfinished(deps.db, propertyId, deps.clock.now())
      const google = known?.kind === 'google' ? await googleFrom(deps, known.id, today) : undefined
      const loaded = await loadRows(upload, {
        facts: deps.facts,
        propertyId,
        isWanted: (searchType, date) => google === undefined || date < (google.get(searchType) ?? ''),
        most: {
          rows: Math.min(left, leftToday),
          refusal: () => (leftToday < left ? limits.tooManyToday() : limits.tooMany()),
        },
        onRows(rows, more) {
          count(more)
          onProgress?.({ rows, fraction: Math.min(1, bytes / Math.max(1, upload.size)) })
        },
        onMonths: countMonths,
      })
      if (google) mustBeOf(upload.site(), name)
      const { summary, leftOut, loads } = loaded
      if (!summary) throw new ImportRefusal(`There's nothing left to import. ${leftOutNotes(leftOut).join(' ')}`, { field: 'file' }, 409)
      const { lastWebDay, searchTypes: _types, uneven: _uneven, ...sums } = summary
      const answer = { property: name, changed: true, ...sums, notes: [...leftOutNotes(leftOut), ...notesOf(upload, summary, today)] }
      if (!(await day.hadRoom(worth()))) throw enough()
      if (!lockHeld()) throw new Error('The database connection that held the import lock was lost')
      // Another import of theirs, in any process, may have become visible while this one was read.
      await publishing.all([`import-rows:${userId}`], async () => {
        if (!ofThisMachine && (await storedRows(deps.db, deps.facts, userId)) + loaded.stored > limits.stored) throw limits.tooMany()
        if (known) {
          await noteLoads(deps.db, known.id, loads)
          await whileSame(deps.db, { person, name }, known, async (trx) => {
            // Again: an upload takes up to an hour.
            await mayChangeShown(trx, request.requester, { property: name }, deps.clock.now())
            await loaded.publish()
          })
        } else await loaded.publish()
        const record = { ...answer, loads, lastWebDay, sha256, fileName: fileNameOf(files) }
        await recordImport(deps.db, { propertyId, known, person, name, offer: deps.offer }, record, deps.clock.now())
      })
      await deps.onImported?.({ propertyId, from: summary.start, through: summary.end })
      return answer
    } finally {
      upload.close()
      await day.end(worth())
      if (!known) await endUnfinished(deps.db, propertyId, deps.clock.now())
    }
  }

  async function mustHavePlace(person: Requester, name: string): Promise<void> {
    const refusal = await siteRefusal(deps.db, { offer: deps.offer, person, name })
    if (refusal !== null) throw new ImportRefusal(refusal, { field: 'property' }, 403)
  }

  return {
    /** Imports files from streams, by way of the disk. */
    async importFiles(request: ImportRequest & { files: readonly { name: string; content: Readable }[] }): Promise<ImportResult> {
      return asValue(async () => {
        propertyName(request.propertyName)
        const received: Received[] = []
        try {
          let room = await roomForUpload(deps.dataDir)
          for (const file of request.files) {
            const one = await receive(deps.dataDir, file, room)
            received.push(one)
            room -= one.size
          }
          return await importReceived(received, request)
        } finally {
          await removeAll(received)
        }
      })
    },
    /** Imports files taken in by `receive`; removing them stays the caller's job. */
    importReceived: (files: readonly Received[], request: ImportRequest): Promise<ImportResult> =>
      asValue(() => importReceived(files, request)),
    /** The account with that name; see `findUser`. @throws ImportRefusal 404, 409 */
    findUser: (name: string | undefined): Promise<string> => findUser(deps.db, name, deps.demo ?? false),
    /** Whether an account was created less than a day ago. */
    isNew: (userId: string): Promise<boolean> => isNewAccount(deps.db, userId, deps.clock.now()),
    /** Whether somebody else sees this property's figures and names in reports. @throws ImportRefusal for an unusable name */
    showsOthers: (person: { id: string; email: string }, typed: string): Promise<boolean> =>
      isShownToOthers(deps.db, person, { property: propertyName(typed) }, deps.clock.now()),
    dataDir: deps.dataDir,
  }
}

/** Equal for the same files in any order. @throws ImportRefusal if one is given twice: its figures would count twice */
function fingerprintOf(files: readonly Received[]): string {
  const [first] = files
  if (first && files.length === 1) return first.sha256
  // BigQuery may write several shards without a row, each with the same header; those with rows are compared while reading.
  const whole = files.filter(({ name, size }) => size > 0 && !isNumberedShard(name))
  for (const file of whole) {
    const other = whole.find((each) => each !== file && each.sha256 === file.sha256)
    if (other) throw new ImportRefusal(`${shown(other.name)} is an exact copy: add it only once`, { field: 'file', file: shown(file.name) })
  }
  return createHash('sha256')
    .update(
      files
        .map(({ sha256 }) => sha256)
        .sort()
        .join('\n'),
    )
    .digest('hex')
}

function fileNameOf(files: readonly Received[]): string {
  const name = shown(path.basename(files[0]?.name ?? ''), 200)
  return files.length > 1 ? `${name} and ${files.length - 1} more` : name
}

/** Another property's figures would be mixed with Google's as if they belonged to this one. */
function mustBeOf(site: string | undefined, name: string): void {
  if (site === undefined || site === name) return
  throw new ImportRefusal(`This file has data for ${shown(site)}, not ${shown(name)}`, { field: 'property' })
}

async function asValue(work: () => Promise<ImportAnswer>): Promise<ImportResult> {
  try {
    return { ok: true, answer: await work() }
  } catch (error) {
    if (error instanceof ImportRefusal) return { ok: false, status: error.status, problem: error.problem }
    throw error
  }
}

/** Cleans up a typed name: invisible characters would make two properties look alike. */
function propertyName(text: string): string {
  const name = text.normalize('NFC').trim()
  if (name === '') throw new ImportRefusal('Enter a name for the property', { field: 'property' })
  if (name.length > 2048) throw new ImportRefusal('The property name must be at most 2,048 characters', { field: 'property' })
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    throw new ImportRefusal('The property name contains invisible characters', { field: 'property' })
  return name
}
