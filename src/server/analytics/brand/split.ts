import type { AnalyticsQuery } from '../../../contract/analytics.ts'
import type { BrandSplit } from '../../../contract/brand.ts'
import { compactTerms } from '../../../core/analytics/brand.ts'
import type { CompleteProperty } from '../requested-property.ts'
import { dayOf } from '../overview.ts'
import { answerKey, comparedOf, hasBefore, knownLoads, periodsKey, periodsOf, totalsOn, type AnalyticsParts } from '../parts.ts'
import { windowBrandSums } from '../../facts/questions/window-sums.ts'
import { brandDays, dailyFigures } from '../../facts/questions/daily-figures.ts'

const none = { clicks: 0, impressions: 0, ctr: 0, position: 0, beforeClicks: 0, beforeImpressions: 0, beforeCtr: 0, beforePosition: 0 }

/** Splits a property's data into brand and non-brand queries. */
export function createBrandAnalytics(parts: AnalyticsParts) {
  const { facts, windows, brands, cache } = parts

  return {
    async split(property: CompleteProperty, query: AnalyticsQuery): Promise<BrandSplit> {
      const [brand, periods] = await Promise.all([brands.of(property), periodsOf(parts, property, query)])
      return cache.get(answerKey('brand split', property, brand.version, periodsKey(periods)), async () => {
        const window = await windows.of(property, periods)
        const brandTerms = compactTerms(brand.terms)
        const about = { property: property.id, span: window.current, window: window.id, brandTerms }
        const [sums, days, totals, loads] = await Promise.all([
          facts.ask(windowBrandSums, window.id, brandTerms),
          facts.ask(brandDays, about),
          facts.ask(dailyFigures, { property: property.id, spans: [window.current] }),
          knownLoads(parts, property, { grains: ['query'], spans: [window.current] }),
        ])
        const compared = await hasBefore(parts, property, periods, 'query')
        const side = (isBrand: boolean) => comparedOf(sums.find((row) => row.brand === isBrand) ?? none, compared)
        const daysOf = (isBrand: boolean) => days.filter((day) => day.brand === isBrand).map(dayOf)
        const total = totalsOn(totals, loads, 'query')
        const [ours, others] = [side(true), side(false)]
        return {
          brand: ours,
          nonBrand: others,
          hidden: {
            clicks: Math.max(0, total.clicks - ours.clicks - others.clicks),
            impressions: Math.max(0, total.impressions - ours.impressions - others.impressions),
          },
          brandDays: daysOf(true),
          nonBrandDays: daysOf(false),
        }
      })
    },
  }
}
