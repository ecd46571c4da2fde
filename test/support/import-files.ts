import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { ImportProblem } from '../../src/contract/import.ts'
import { openUpload } from '../../src/server/sync/import/read-upload.ts'
import { ImportRefusal } from '../../src/server/sync/import/refusal.ts'
import type { ImportedRow } from '../../src/server/sync/import/rows.ts'

/** "Today" of these tests. */
export const today = '2026-11-20'

/** A ZIP of texts or bytes by name. */
export const zipOf = (files: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content])),
  )

export type Read = { rows: ImportedRow[]; notes: string[] } | { problem: ImportProblem; status: number }

type Content = string | Uint8Array

/** Reads files like an import, without a store: their rows and notes, or why they were refused. */
export async function readFiles(contents: Readonly<Record<string, Content>>): Promise<Read> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-import-'))
  try {
    const files = Object.entries(contents).map(([name, content], at) => {
      const file = path.join(directory, String(at))
      return { path: file, name, size: Buffer.byteLength(content), content }
    })
    for (const file of files) await writeFile(file.path, file.content)
    const upload = await openUpload(files, { today })
    try {
      const rows: ImportedRow[] = []
      for (const part of upload.parts) for await (const batch of part.rows) rows.push(...batch)
      return { rows, notes: upload.notes() }
    } finally {
      upload.close()
    }
  } catch (error) {
    if (error instanceof ImportRefusal) return { problem: error.problem, status: error.status }
    throw error
  } finally {
    await rm(directory, { recursive: true })
  }
}

export const readFile = (content: Content, name = 'upload.csv'): Promise<Read> => readFiles({ [name]: content })

/** Reads the rows of a file that must be accepted. */
export async function rowsOf(content: string | Uint8Array, name?: string): Promise<ImportedRow[]> {
  const read = await readFile(content, name)
  if ('problem' in read) throw new Error(`refused: ${JSON.stringify(read.problem)}`)
  return read.rows
}

/** The reason a file is refused, which it must be. */
export async function problemOf(content: string | Uint8Array, name?: string): Promise<ImportProblem> {
  const read = await readFile(content, name)
  if ('rows' in read) throw new Error(`accepted ${read.rows.length} rows`)
  return read.problem
}
