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
      what: `Optimization opportunities for ${property}`,
    },
    {
      label: 'Pages needing optimization',
      address: pagesFile(property, { ...period, ...lowCtrPages, sort: 'impressions' }),
      what: `Pages needing optimization for ${property}`,
    },
    {
      label: 'High performing pages',
      address: pagesFile(property, { ...period, ...highCtrPages, sort: 'ctr' }),
      what: `High performing pages for ${property}`,
    },
    { label: 'All keywords', address: keywordsFile(property, period), what: `Keywords for ${property}` },
    { label: 'All pages', address: pagesFile(property, period), what: `Pages for ${property}` },
  ]
}
