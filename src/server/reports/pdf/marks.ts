import { greys, tones } from './look.ts'
import type { Sheet } from './sheet.ts'
import { type Change, changed, type Metric } from './copy.ts'

/** An arrow of this size in points; needs no font. */
function arrow({ doc }: Sheet, direction: 'up' | 'down', x: number, y: number, size: number): void {
  const half = size / 2
  if (direction === 'up') doc.polygon([x, y - 0.3], [x + size, y - 0.3], [x + half, y - size * 0.95])
  else doc.polygon([x, y - size * 0.9], [x + size, y - size * 0.9], [x + half, y - 0.1])
}

const styleOf = ({ color }: Change, size: number) => ({ size, weight: 600, color: tones[color] }) as const
const arrowRoom = ({ direction }: Change, size: number): number => (direction === 'level' ? 0 : size * 0.72 + 2)

/** An arrow and the amount, colored by meaning. */
export function writeChange(sheet: Sheet, change: Change, x: number, y: number, size: number): void {
  const style = styleOf(change, size)
  if (change.direction !== 'level') {
    arrow(sheet, change.direction, x, y, size * 0.72)
    sheet.doc.fillColor(style.color).fill()
  }
  sheet.pen.write(change.text, x + arrowRoom(change, size), y, style)
}

/** Same, but ending at `x`. `before` is null without a comparison, and `new` if there was nothing before. */
export function writeChangeTo(
  sheet: Sheet,
  metric: Metric,
  now: number,
  before: number | 'new' | null,
  x: number,
  y: number,
  size: number,
): void {
  if (before === null) return
  if (before === 'new') return sheet.pen.write('new', x, y, { size, weight: 600, color: greys.muted }, 'right')
  const change = changed(metric, now, before)
  if (change) writeChange(sheet, change, x - arrowRoom(change, size) - sheet.pen.widthOf(change.text, styleOf(change, size)), y, size)
}
