import { highCtrPages, lowCtrPages } from '../../../core/analytics/page-groups.ts'
import { keywordsFile, opportunitiesFile, pagesFile, type PeriodParams } from '../../api/analytics.ts'
import type { ExportFile } from '../../widgets/ExportMenu.tsx'
import { highImpactScore } from './insight-figures.ts'

/** What the screen counts, as files: all rows of the period rather than those of its lists (OPEN-POINTS 10). */
export function insightFiles(property: string, period: PeriodParams): readonly [ExportFile, ...ExportFile[]] {
  return [
    {
      label: 'Optimization opportunities',
      address: opportunitiesFile(property, { ...period, scoreMin: highImpactScore }),
      what: `The optimization opportunities of ${property}`,
    },
    {
      label: 'Pages needing optimization',
      address: pagesFile(property, { ...period, ...lowCtrPages, sort: 'impressions' }),
      what: `The pages of ${property} that need optimization`,
    },
    {
      label: 'High performing pages',
      address: pagesFile(property, { ...period, ...highCtrPages, sort: 'ctr' }),
      what: `The high performing pages of ${property}`,
    },
    { label: 'All keywords', address: keywordsFile(property, period), what: `The keywords of ${property}` },
    { label: 'All pages', address: pagesFile(property, period), what: `The pages of ${property}` },
  ]
}
