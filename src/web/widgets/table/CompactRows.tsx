import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RowsProps, TableSort } from './columns.ts'
import { CompactRow, compactColumns } from './FewCompactRows.tsx'

const rowHeight = 64

type CompactRowsProps<Row> = RowsProps<Row> & { sort: TableSort | undefined }

/** A long list if there is no room for a table: only renders the rows near those on screen. */
export function CompactRows<Row>({ caption, rows, keyOf, name, columns, total, onReach, sort }: CompactRowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (list.current !== null) setTop(list.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => (rows[index] === undefined ? index : keyOf(rows[index])),
    overscan: 8,
    scrollMargin: top,
  })
  const items = virtual.getVirtualItems()
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => onReach(last), [last, onReach])
  const figures = compactColumns(columns, sort)
  return (
    <ul
      ref={list}
      aria-label={caption}
      className="text-sm"
      style={{
        paddingTop: (items[0]?.start ?? top) - top,
        paddingBottom: virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
      }}
    >
      {items.map((item) => {
        const row = rows[item.index]
        return (
          row !== undefined && (
            <CompactRow
              key={item.key}
              ref={virtual.measureElement}
              row={row}
              rowKey={keyOf(row)}
              name={name}
              figures={figures}
              place={{ 'data-index': item.index, 'aria-posinset': item.index + 1, 'aria-setsize': total ?? -1 }}
            />
          )
        )
      })}
    </ul>
  )
}
