import type { RowFigures } from '../../../contract/figures.ts'
import type { Page } from '../../../contract/pages.ts'
import { performsWell } from '../../../core/analytics/page-groups.ts'

type PageFigures = Pick<Page, 'clicks' | 'impressions' | 'ctr' | 'position'>

/** Rows per list in the insights, and bars of the chart (SPEC §9). */
export const listLength = 5
export const chartLength = 10

/** A page's figures as numbers; CTR as a fraction, unrounded: between two that look alike there can be a change. */
export const numbersOf = ({ clicks, impressions, position }: PageFigures): RowFigures => ({
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  position: Number(position),
})

/** The four cards' figures: over the listed pages, each with equal weight (SPEC §2); without pages, their CTR is unknown (null). */
export function cardFigures(pages: readonly PageFigures[]) {
  const figures = pages.map(numbersOf)
  return {
    pages: figures.length,
    clicks: figures.reduce((sum, { clicks }) => sum + clicks, 0),
    ctr: pages.length === 0 ? null : mean(pages.map(({ ctr }) => Number(ctr) / 100)),
    // An unknown position doesn't count.
    position: mean(figures.map(({ position }) => position).filter((position) => position > 0)),
  }
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Best CTR first. */
export const topPerforming = (pages: readonly Page[]): Page[] =>
  pages
    .filter(({ impressions, ctr }) => performsWell({ impressions, ctr: Number(ctr) }))
    .toSorted((a, b) => Number(b.ctr) - Number(a.ctr))
    .slice(0, listLength)
