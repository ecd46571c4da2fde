/** The look of a point's tooltip in any chart. */
export const chartTipClass = 'rounded-md bg-text px-2.5 py-1.5 text-xs text-page tabular-nums shadow-float'
