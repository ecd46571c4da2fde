/** A page's figures, `ctr` in percent. */
type PageFigures = { impressions: number; ctr: number }

/** Pages with many impressions but few clicks (SPEC §9), as requested for lists and files. */
export const lowCtrPages = { impressionsAbove: 100, ctrBelow: 2 } as const
/** High performers (SPEC §9). */
export const highCtrPages = { ctrAtLeast: 5 } as const

export const needsOptimization = ({ impressions, ctr }: PageFigures): boolean =>
  impressions > lowCtrPages.impressionsAbove && ctr < lowCtrPages.ctrBelow

export const performsWell = ({ ctr }: PageFigures): boolean => ctr >= highCtrPages.ctrAtLeast
