import { comparisonChoices, rangeChoices } from '../../widgets/analytics/PeriodSelects.tsx'

/** What the address says of this screen. */
export const insightsView = {
  days: rangeChoices,
  compare: comparisonChoices,
  tab: ['recommendations', 'performance', 'monitoring', 'audience', 'trends'],
} as const
