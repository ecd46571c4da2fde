/** Of a page: `ctr` in per cent. */
type PageFigures = { impressions: number; ctr: number }

/** Pages that are shown often and clicked seldom (SPEC §9), as a list or file is asked for them. */
export const lowCtrPages = { impressionsAbove: 100, ctrBelow: 2 } as const
/** High performers (SPEC §9). */
export const highCtrPages = { ctrAtLeast: 5 } as const

export const needsOptimization = ({ impressions, ctr }: PageFigures): boolean =>
  impressions > lowCtrPages.impressionsAbove && ctr < lowCtrPages.ctrBelow

export const performsWell = ({ ctr }: PageFigures): boolean => ctr >= highCtrPages.ctrAtLeast
