import path from 'node:path'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { IsoDate } from '../../../contract/common.ts'
import type { Offer } from '../../../core/billing/offer.ts'
import type { ImportAnswer, ImportProblem } from '../../../contract/import.ts'
import { addDays, pacificDay } from '../../../core/analytics/days.ts'
import type { Db } from '../../database/open.ts'
import type { Refusal } from '../../errors.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { Clock } from '../../platform/clock.ts'
import { createFairShare } from '../../platform/fair-share.ts'
import { loadRows, type Summary } from './load-rows.ts'
import { openUpload, type Upload } from './read-upload.ts'
import { receive, type Received } from './receive.ts'
import { ImportRefusal, shown } from './refusal.ts'
import { findImport, findProperty, nextPropertyId, recordImport, siteRefusal, withImportLock } from './store.ts'
import { findUser } from './users.ts'

export type ImportDeps = {
  pool: pg.Pool
  db: Db
  facts: FactsStore
  dataDir: string
  offer: Offer
  clock: Clock
  /** Told after new days are stored; deals with its own failures. */
  onImported?: (event: { propertyId: number; from: IsoDate; through: IsoDate }) => Promise<void>
}

export type ImportRequest = {
  userId: string
  propertyName: string
  /** What the file is called where it comes from; kept as a label. */
  fileName: string
}

/** Errors are values: a refused file names its line and reason. */
export type ImportResult = { ok: true; answer: ImportAnswer } | { ok: false; status: Refusal['status']; problem: ImportProblem }

/** Each import may hold a hundred megabytes of sums; nobody's many files keep another's waiting. */
const atATime = { places: 2, perTenant: 1 }
/** Days younger than this are still counted by Google. */
const settledAfter = 3

export type ImportService = ReturnType<typeof createImportService>

/** Takes Search Console's own exports and long CSVs in, whole or not at all. */
export function createImportService(deps: ImportDeps) {
  const gate = createFairShare(atATime)

  async function importReceived(received: Received, request: ImportRequest): Promise<ImportAnswer> {
    const name = propertyName(request.propertyName)
    return gate.run(request.userId, () =>
      withImportLock(deps.pool, request.userId, name, (held) => importLocked(received, { ...request, propertyName: name }, held)),
    )
  }

  async function importLocked(received: Received, request: ImportRequest, lockHeld: () => boolean): Promise<ImportAnswer> {
    const { userId, propertyName: name } = request
    const property = await findProperty(deps.db, userId, name)
    if (property?.kind === 'google') {
      throw new ImportRefusal(
        `"${shown(name)}" is synced from Google, which would overwrite imported days: choose another name, such as "${shown(name)} (imported)"`,
        { field: 'property' },
      )
    }
    if (!property) await mustHavePlace(userId)
    const known = property && (await findImport(deps.db, property.id, received.sha256))
    if (known) return { property: name, changed: false, ...known }

    const upload = await openUpload(received.path, request.fileName, pacificDay(deps.clock.now()))
    try {
      const propertyId = property?.id ?? (await nextPropertyId(deps.pool))
      const { summary, publish } = await loadRows(upload, { facts: deps.facts, propertyId })
      const { rows, days, start, end, clicks, impressions } = summary
      const answer = { property: name, changed: true, rows, days, start, end, clicks, impressions, notes: notesOf(upload, summary) }
      if (!lockHeld()) throw new Error('The database connection that held the import lock was lost')
      // Published first: were the process to die now, the same file would be taken again and change nothing more.
      await publish()
      const { lastWebDay } = summary
      const record = { ...answer, lastWebDay, sha256: received.sha256, fileName: shown(path.basename(request.fileName), 255) }
      await recordImport(deps.db, { propertyId, isNew: !property, userId, name, offer: deps.offer }, record, deps.clock.now())
      await deps.onImported?.({ propertyId, from: summary.start, through: summary.end })
      return answer
    } finally {
      upload.close()
    }
  }

  async function mustHavePlace(userId: string): Promise<void> {
    const refusal = await siteRefusal(deps.db, deps.offer, userId)
    if (refusal !== null) throw new ImportRefusal(refusal, { field: 'property' }, 403)
  }

  function notesOf(upload: Upload, summary: Summary): string[] {
    const notes = upload.notes()
    const { dimensions } = upload
    if (dimensions.includes('query')) {
      notes.push('Search Console leaves rare queries out of such tables, so the totals of these days may be lower than on its own screen.')
    }
    if (summary.searchTypes.some((type) => type !== 'web')) notes.push(`Stored as search type ${summary.searchTypes.join(', ')}.`)
    if (summary.lastWebDay === null) notes.push('Cards, reports and alerts are about web search, so they show nothing of this file.')
    if (summary.end > addDays(pacificDay(deps.clock.now()), -settledAfter)) {
      notes.push('Google may still have been counting the last days of the file when it was exported.')
    }
    return notes
  }

  return {
    /** Imports a file from a stream; at most 256 MiB of it are read. */
    async importFile(request: ImportRequest & { content: Readable }): Promise<ImportResult> {
      return asValue(async () => {
        propertyName(request.propertyName)
        const received = await receive(deps.dataDir, request.content)
        try {
          return await importReceived(received, request)
        } finally {
          await received.remove()
        }
      })
    },
    /** Imports a file that `receive` has taken in; removing it stays the caller's. */
    importReceived: (received: Received, request: ImportRequest): Promise<ImportResult> => asValue(() => importReceived(received, request)),
    /** The account of that name; see `findUser`. @throws ImportRefusal 404 */
    findUser: (name: string | undefined): Promise<string> => findUser(deps.db, name),
    dataDir: deps.dataDir,
  }
}

async function asValue(work: () => Promise<ImportAnswer>): Promise<ImportResult> {
  try {
    return { ok: true, answer: await work() }
  } catch (error) {
    if (error instanceof ImportRefusal) return { ok: false, status: error.status, problem: error.problem }
    throw error
  }
}

/** A name as people type it; invisible characters would make two properties look alike. */
function propertyName(text: string): string {
  const name = text.normalize('NFC').trim()
  if (name === '') throw new ImportRefusal('Give the property a name', { field: 'property' })
  if (name.length > 2048) throw new ImportRefusal('The name of the property is longer than 2,048 characters', { field: 'property' })
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    throw new ImportRefusal('The name of the property holds invisible characters', { field: 'property' })
  return name
}
