import type { Db } from '../../database/open.ts'
import { ImportRefusal } from './refusal.ts'

const dayMs = 24 * 3_600_000

/** Rows that an account may have stored and may send in a day, and what both are limited to on the day it was created. */
export type RowBounds = { mostRows: number; mostRowsADay: number; mostRowsOfNew: number }
/** The same for one account, and what to tell its owner beyond them. */
export type RowLimits = {
  stored: number
  aDay: number
  tooMany(): ImportRefusal
  tooManyToday(): ImportRefusal
  tooScattered(): ImportRefusal
}

/** Anybody can register accounts without end, so what each may store says little about a disk unless new ones may store less. */
export async function isNewAccount(db: Db, userId: string, now: Date): Promise<boolean> {
  const owner = await db.selectFrom('users').where('id', '=', userId).select('createdAt').executeTakeFirst()
  return owner === undefined || owner.createdAt.getTime() > now.getTime() - dayMs
}

export async function rowLimitsOf(db: Db, userId: string, bounds: RowBounds, now: Date): Promise<RowLimits> {
  const most = (await isNewAccount(db, userId, now)) ? bounds.mostRowsOfNew : Infinity
  const [stored, aDay] = [Math.min(bounds.mostRows, most), Math.min(bounds.mostRowsADay, most)]
  return {
    stored,
    aDay,
    tooMany: () => (stored < bounds.mostRows ? tooManyOfNew(stored) : tooManyRows(stored)),
    tooManyToday: () => (aDay < bounds.mostRowsADay ? tooManyOfNew(aDay) : tooManyRowsToday(aDay)),
    tooScattered: () => tooScattered(aDay),
  }
}

/** The same of a new account's uploads, in bytes. */
export const mostBytesOfNew = 512 * 1024 ** 2
export const tooLargeForNew = (): ImportRefusal =>
  new ImportRefusal(
    'The upload is larger than 512 MB, the limit on the day an account is created: split the files by date, or upload them tomorrow',
    { field: 'file' },
    413,
  )

const tooManyOfNew = (most: number): ImportRefusal =>
  new ImportRefusal(
    `On the day it was created, an account can import up to ${most.toLocaleString('en-US')} rows, and this import would exceed that limit. Import fewer days now, and the others tomorrow.`,
    { field: 'file' },
    429,
  )

const tooManyRowsToday = (most: number): ImportRefusal =>
  new ImportRefusal(
    `Your account can import up to ${most.toLocaleString('en-US')} rows a day. Continue tomorrow (UTC).`,
    { field: 'file' },
    429,
  )
const tooScattered = (most: number): ImportRefusal =>
  new ImportRefusal(
    `Rows that jump between months count several times, and this file exceeds the ${most.toLocaleString('en-US')} rows a day that your account can import. Sort the file by date and try again tomorrow (UTC).`,
    { field: 'file' },
    429,
  )
const tooManyRows = (most: number): ImportRefusal =>
  new ImportRefusal(
    `Your account can store up to ${most.toLocaleString('en-US')} imported rows, and this import would exceed that limit. Ask your administrator to import the files on the server.`,
    { field: 'file' },
    409,
  )
