import { greys } from './look.ts'
import type { Sheet } from './sheet.ts'

export type Column<Row> = {
  label: string
  /** Points; at most one column has none and takes the rest. */
  width?: number
  align?: 'left' | 'right'
  draw(row: Row, cell: Cell): void
}
/** A cell's text start (`left`), end (`right`) and baseline. */
export type Cell = { left: number; right: number; y: number }

const rowHeight = 16.5
const headHeight = 17
const gap = 8
export const textSize = 8.5
export const regular = { size: textSize, color: greys.text } as const
export const strong = { size: textSize, weight: 600, color: greys.text } as const

/** Minimum height of a table below its heading. */
export const tableStart = headHeight + 3 * rowHeight

type Placed<Row> = { column: Column<Row>; left: number; right: number }

/** A full-width table that continues over pages, with its header on each. */
export function drawTable<Row>(sheet: Sheet, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  drawTables(sheet, [{ columns, rows }])
}

/** Tables side by side, row by row. */
export function drawTables<Row>(sheet: Sheet, tables: readonly { columns: readonly Column<Row>[]; rows: readonly Row[] }[]): void {
  const between = 22
  const width = (sheet.width - between * (tables.length - 1)) / tables.length
  const placed = tables.map(({ columns, rows }, index) => {
    const left = sheet.left + index * (width + between)
    return { rows, columns: placeColumns(columns, left, left + width) }
  })
  const most = Math.max(...tables.map(({ rows }) => rows.length))
  if (most === 0) return
  const heads = (): void => {
    for (const { rows, columns } of placed) if (rows.length > 0) drawHead(sheet, columns)
    sheet.y += headHeight
  }
  sheet.room(headHeight + rowHeight)
  heads()
  for (let index = 0; index < most; index++) {
    const page = sheet.doc.page
    sheet.room(rowHeight)
    if (sheet.doc.page !== page) heads()
    for (const { rows, columns } of placed) {
      const row = rows[index]
      if (row !== undefined) drawRow(sheet, columns, row)
    }
    sheet.y += rowHeight
  }
}

function placeColumns<Row>(columns: readonly Column<Row>[], left: number, right: number): Placed<Row>[] {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0) + gap * (columns.length - 1)
  let at = left
  return columns.map((column) => {
    const from = at
    const to = from + (column.width ?? right - left - fixed)
    at = to + gap
    return { column, left: from, right: to }
  })
}

function drawHead<Row>(sheet: Sheet, columns: readonly Placed<Row>[]): void {
  const y = sheet.y + 9
  sheet.say('P', () => {
    for (const { column, left, right } of columns) {
      const style = { size: 7, weight: 600, color: greys.muted } as const
      if (column.align === 'right') sheet.pen.write(column.label, right, y, style, 'right')
      else sheet.pen.write(column.label, left, y, style)
    }
  })
  sheet.line(sheet.y + headHeight - 2.5, columns[0]?.left, columns.at(-1)?.right, greys.faint)
}

function drawRow<Row>(sheet: Sheet, columns: readonly Placed<Row>[], row: Row): void {
  const y = sheet.y + 9
  sheet.say('P', () => {
    for (const { column, left, right } of columns) column.draw(row, { left, right, y })
  })
  sheet.line(sheet.y + rowHeight - 2.5, columns[0]?.left, columns.at(-1)?.right)
}
