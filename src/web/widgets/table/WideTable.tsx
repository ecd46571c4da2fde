import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, Fragment, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RowsProps, TableSort } from './columns.ts'
import { Columns, RowCells, tableLook } from './parts.tsx'
import { TableHead } from './TableHead.tsx'

type WideTableProps<Row> = RowsProps<Row> & {
  sort: TableSort | undefined
  onSort: (sort: TableSort) => void
  /** The sortable columns; by default all that have values. */
  sortable: readonly string[] | undefined
}

const headHeight = 56
const rowHeight = 58

/** A table in its own scroll box, so that its header and first column always stay visible. */
export function WideTable<Row>({ caption, rows, keyOf, name, columns, total, onReach, ...sorting }: WideTableProps<Row>) {
  const box = useRef<HTMLElement>(null)
  const [focused, setFocused] = useState<number>()
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyAt(rows, keyOf, index),
    overscan: 8,
    scrollPaddingStart: headHeight,
    // The row with the focus stays, or the focus would be lost.
    rangeExtractor: (range) => withFocused(defaultRangeExtractor(range), focused),
  })
  const items = virtual.getVirtualItems()
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => onReach(last), [last, onReach])

  // Another order or other rows start at the top, however far somebody had scrolled; rows that were added don't.
  const start = `${sorting.sort?.by} ${sorting.sort?.order} ${keyAt(rows, keyOf, 0)}`
  useLayoutEffect(() => {
    box.current?.scrollTo({ top: 0 })
  }, [start])

  function focusRow(index: number): void {
    const at = Math.max(0, Math.min(index, rows.length - 1))
    setFocused(at)
    virtual.scrollToIndex(at)
    // Rendered with the next frame if it wasn't near.
    requestAnimationFrame(() => requestAnimationFrame(() => rowAt(box.current, at)?.focus({ preventScroll: true })))
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = nextRow(event, Math.max(1, items.length - 16), rows.length)
    if (next === null) return
    event.preventDefault()
    if (next !== 'open') focusRow(next)
    else if (event.target instanceof Element) event.target.querySelector<HTMLElement>('th a, th button')?.click()
  }

  const onFocus = ({ target }: FocusEvent): void => setFocused(indexOf(target))
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node) || box.current?.contains(relatedTarget) !== true) setFocused(undefined)
  }

  return (
    // Rows take the focus, using keys that scroll elsewhere.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={box}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={`${caption}, scrollable`}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={onBlur}
      className="@container/table relative max-h-[calc(100dvh-9rem)] overflow-auto overscroll-x-contain"
    >
      <table aria-rowcount={total === null ? -1 : total + 1} {...tableLook(columns)}>
        <caption className="sr-only">{caption}</caption>
        <Columns columns={columns} />
        <TableHead name={name} columns={columns} {...sorting} />
        <tbody>
          {items.map((item, at) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const gap = item.start - (items[at - 1]?.end ?? 0)
            return (
              <Fragment key={item.key}>
                <Gap height={gap} />
                <tr
                  ref={virtual.measureElement}
                  data-index={item.index}
                  data-key={keyOf(row)}
                  aria-rowindex={item.index + 2}
                  tabIndex={-1}
                  className="group align-top outline-offset-[-2px] *:border-b *:border-line"
                >
                  <RowCells name={name} columns={columns} row={row} />
                </tr>
              </Fragment>
            )
          })}
          <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  )
}

/** The space of rows that aren't rendered. */
const Gap = ({ height }: { height: number }) => (height < 1 ? null : <tr aria-hidden style={{ height }} />)

function keyAt<Row>(rows: readonly Row[], keyOf: (row: Row) => string, index: number): string | number {
  const row = rows[index]
  return row === undefined ? index : keyOf(row)
}

const withFocused = (indexes: number[], focused: number | undefined): number[] =>
  focused === undefined || indexes.includes(focused) ? indexes : [...indexes, focused].toSorted((a, b) => a - b)

const rowAt = (box: HTMLElement | null, index: number): HTMLElement | null =>
  box?.querySelector<HTMLElement>(`tbody tr[data-index="${index}"]`) ?? null

function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null
  return row === null ? undefined : Number(row.dataset['index'])
}

/** Where a key moves from the focused row; `open`: into it; null for keys that aren't the table's. */
function nextRow(event: KeyboardEvent, page: number, count: number): number | 'open' | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return null
  const isBox = event.target === event.currentTarget
  const at = indexOf(event.target)
  // Fields and menus in cells handle their own keys.
  if (!isBox && at === undefined) return null
  switch (event.key) {
    case 'ArrowDown':
      return (at ?? -1) + 1
    case 'ArrowUp':
      return (at ?? count) - 1
    case 'PageDown':
      return (at ?? 0) + page
    case 'PageUp':
      return (at ?? 0) - page
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case 'Enter':
      return event.target instanceof HTMLTableRowElement ? 'open' : null
    default:
      return null
  }
}
