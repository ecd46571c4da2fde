import type { Readable } from 'node:stream'
import type { Clock } from '../../platform/clock.ts'
import { zipStream } from '../../platform/zip-stream.ts'
import type { ExportFile, ExportSection } from '../../common/export-file.ts'
import type { Person } from '../service.ts'

export type AccountExport = {
  /** The file's name without a path. */
  fileName: string
  archive: Readable
}

export type Exporter = (person: Person) => Promise<AccountExport>

/** All of a person's data as one ZIP, assembled from each capability's part. */
export function createExporter({ sections, clock }: { sections: readonly ExportSection[]; clock: Clock }): Exporter {
  return async (person) => {
    const files: ExportFile[] = []
    for (const section of sections) files.push(...(await section(person.id)))
    const madeAt = clock.now()
    const readme = { name: 'README.txt', content: readMe(person.username, madeAt, files) }
    return {
      fileName: `ranklark-${person.username}-${madeAt.toISOString().slice(0, 10)}.zip`,
      archive: zipStream([readme, ...files], madeAt),
    }
  }
}

function readMe(username: string, madeAt: Date, files: readonly ExportFile[]): string {
  return `All data Ranklark stores for ${username}, as of ${madeAt.toISOString()}.

${files.map(({ name, about }) => `${name}\n  ${about}\n`).join('\n')}
JSON and CSV files are UTF-8; times are in UTC. CSV files use commas, have a header line and open in any spreadsheet.
Days are in Pacific time, as in Search Console. CTR is a fraction: 0.05 means 5%. A position is empty where
Google reports none. "cut off" is "yes" on days when Google capped the list at 50,000 rows, so some are missing. Text that a spreadsheet would read as a formula has an apostrophe in front of it.

Numbers for the same days differ from file to file: Google leaves rare queries out of some tables and counts pages and
the whole site differently. The totals are in total.csv.

Anything that would let others in is not included: your password and API keys (we store only hashes of them),
login sessions, and the keys that Google and the payment provider issued to this installation.
`
}
