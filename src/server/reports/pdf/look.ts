import type { Paper } from '../../../contract/reports/reports.ts'
import type { ChangeColor } from '../../../core/analytics/change-color.ts'
import { readableOn } from '../../../core/reports/readable-on.ts'

/** A report's colors: the brand's, and grays that go with any. */
export type Look = {
  /** The header's fill, and the text color on it. */
  accent: string
  onAccent: string
  /** The same hue, dark enough for lines and text on white. */
  ink: string
}

const ours = '#244da8'

export const greys = { text: '#151b24', muted: '#5d646f', line: '#dfe2e7', soft: '#f5f6f8', faint: '#9aa1ab' } as const
/** Colors of changes: better is green for every reader (OPEN-POINTS 15). */
export const tones: Record<ChangeColor, string> = { green: '#15753a', red: '#b3261e', gray: greys.muted }

/** Points; a margin that every printer can leave. */
export const papers: Record<Paper, { width: number; height: number }> = {
  a4: { width: 595.28, height: 841.89 },
  letter: { width: 612, height: 792 },
}
export const margin = 42

export function lookOf(brand: { color: string } | null): Look {
  const accent = brand?.color ?? ours
  return { accent, onAccent: readableOn(accent), ink: darkened(accent) }
}

/** Any color that white is readable on is readable on white. */
function darkened(color: string): string {
  let shade = color
  while (readableOn(shade) !== '#ffffff') shade = mixed(shade, 0.92)
  return shade
}

const mixed = (color: string, share: number): string =>
  `#${[1, 3, 5]
    .map((at) =>
      Math.floor(Number.parseInt(color.slice(at, at + 2), 16) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
