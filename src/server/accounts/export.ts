import type { Readable } from 'node:stream'
import type { Clock } from '../platform/clock.ts'
import { zipStream } from '../platform/zip-stream.ts'
import type { ExportFile, ExportSection } from './export-file.ts'
import type { Person } from './service.ts'

export type AccountExport = {
  /** What the file is called, without its path. */
  fileName: string
  archive: Readable
}

export type Exporter = (person: Person) => Promise<AccountExport>

/** Everything we hold of a person as one ZIP, put together of what each capability gives. */
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
  return `Everything Ranklark holds of ${username}, as of ${madeAt.toISOString()}.

${files.map(({ name, about }) => `${name}\n  ${about}\n`).join('\n')}
JSON files are text in UTF-8; times are in UTC. CSV files are UTF-8 with commas and a header line, for any spreadsheet.
Days are those of Search Console (Pacific time). CTR is a fraction: 0.05 means 5 %. A position is left empty where
Google gives none. "cut off" is "yes" on days on which Google capped the list at 50,000 rows, so some are missing. Text that a spreadsheet would take for a formula has an apostrophe before it.

Figures of the same days differ from file to file: Google leaves rare queries out of some tables and counts pages and
the whole site in different ways. The totals are in total.csv.

Not in here is what would let others in: your password and your keys of the API (of which only fingerprints are stored),
sign-in sessions and the keys that Google and the payment provider gave to this installation.
`
}
