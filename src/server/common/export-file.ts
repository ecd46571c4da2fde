import type { ArchiveFile } from '../platform/zip-stream.ts'

/** A file of a user's export, and its description in README.txt. */
export type ExportFile = ArchiveFile & { about: string }

/** One capability's data about a user. */
export type ExportSection = (userId: string) => Promise<ExportFile[]>

export const jsonFile = (name: string, about: string, value: unknown): ExportFile => ({
  name,
  about,
  content: `${JSON.stringify(value, null, 2)}\n`,
})

/**
 * A JSON array whose rows don't fit into memory together: reads them in parts, each starting after the last row's id.
 * @param shown undefined leaves a row out
 */
export async function* jsonArray<Row extends { id: number }>(
  partAfter: (id: number) => Promise<readonly Row[]>,
  shown: (row: Row) => unknown,
): AsyncGenerator<string> {
  let before = '['
  for (let part = await partAfter(0); part.length > 0; part = await partAfter(part.at(-1)?.id ?? 0)) {
    for (const row of part) {
      const value = shown(row)
      if (value === undefined) continue
      yield `${before}\n${JSON.stringify(value, null, 2)}`
      before = ','
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** A JSON object whose fields are read one after another, when their turn comes: single values, or arrays read in parts. */
export async function* jsonObject(
  fields: Readonly<Record<string, AsyncIterable<string> | (() => Promise<unknown>)>>,
): AsyncGenerator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(fields)) {
    yield `${before}\n${JSON.stringify(name)}: `
    if (typeof value === 'function') yield JSON.stringify(await value(), null, 2)
    else yield* value
    before = ','
  }
  yield '}\n'
}

/** A capability's section as a single JSON array, read in parts. */
export const jsonRows =
  <Row extends { id: number }>(
    name: string,
    about: string,
    partAfter: (userId: string, id: number) => Promise<readonly Row[]>,
    shown: (row: Row) => unknown,
  ): ExportSection =>
  async (userId) => [{ name, about, content: jsonArray((id) => partAfter(userId, id), shown) }]

/** A capability's section as a single JSON file. */
export const jsonSection =
  (name: string, about: string, valueOf: (userId: string) => Promise<unknown>): ExportSection =>
  async (userId) => [jsonFile(name, about, await valueOf(userId))]
