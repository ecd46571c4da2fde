import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { nameOf, type RowsProps } from './columns.ts'

const rowHeight = 64
const mostFigures = 3

/** Two lines per row if there is no room for a table: the subject, and the most important figures. */
export function CompactRows<Row>({ caption, rows, keyOf, name, columns, total, onReach }: RowsProps<Row>) {
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
  const compact = columns.filter(({ isCompact }) => isCompact)
  const figures = compact.length === 0 ? columns.slice(0, mostFigures) : compact
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
        if (row === undefined) return null
        return (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            data-key={keyOf(row)}
            data-compact
            aria-posinset={item.index + 1}
            aria-setsize={total ?? -1}
            className="border-b border-line py-2.5"
          >
            {name.cell(row)}
            <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs tabular-nums">
              {figures.map((column) => (
                <div key={column.id} className="flex items-baseline gap-x-1.5">
                  <dt className="text-muted">{nameOf(column)}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
