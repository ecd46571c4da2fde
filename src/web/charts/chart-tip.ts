/** How what a chart tells of a point looks, wherever it floats. */
export const chartTipClass = 'rounded-md bg-text px-2.5 py-1.5 text-xs text-page tabular-nums shadow-float'
