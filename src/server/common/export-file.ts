import type { ArchiveFile } from '../platform/zip-stream.ts'

/** A file of somebody's export, and what README.txt says of it. */
export type ExportFile = ArchiveFile & { about: string }

/** What one capability holds of a person. */
export type ExportSection = (userId: string) => Promise<ExportFile[]>

export const jsonFile = (name: string, about: string, value: unknown): ExportFile => ({
  name,
  about,
  content: `${JSON.stringify(value, null, 2)}\n`,
})

/** A capability's section that is one JSON file. */
export const jsonSection =
  (name: string, about: string, valueOf: (userId: string) => Promise<unknown>): ExportSection =>
  async (userId) => [jsonFile(name, about, await valueOf(userId))]
