import { useMedia } from '../../lib/hooks/use-media.ts'
import type { Listing } from './columns.ts'
import { FewCompactRows } from './FewCompactRows.tsx'
import { Columns, RowCells, tableLook } from './parts.tsx'

/** Room for a table, or paper. */
const roomy = '(width >= 48rem), print'

/** A short list of figures in a fixed order: a table, or rows of two lines below 768 px. */
export function PlainTable<Row>(listing: Listing<Row>) {
  return useMedia(roomy) ? <Table {...listing} /> : <FewCompactRows {...listing} />
}

function Table<Row>({ caption, rows, keyOf, name, columns }: Listing<Row>) {
  return (
    <section
      // It scrolls by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={`${caption}, scrollable`}
      className="@container/table relative overflow-x-auto print:overflow-visible"
    >
      <table {...tableLook(columns)}>
        <caption className="sr-only">{caption}</caption>
        <Columns columns={columns} />
        <thead className="text-muted">
          <tr className="*:border-b *:border-line *:py-2.5 *:font-medium">
            <th scope="col" className="sticky top-0 left-0 z-3 bg-surface pr-4 text-left print:static">
              {name.label}
            </th>
            {columns.map(({ id, label, align }) => (
              <th
                key={id}
                scope="col"
                className={`sticky top-0 z-2 bg-surface pl-4 print:static ${align === 'left' ? 'text-left' : 'text-right'}`}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="group align-top *:border-b *:border-line last:*:border-0">
              <RowCells name={name} columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
