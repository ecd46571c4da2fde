import { expect, test } from 'vitest'
import { parseDay } from '../dates.ts'
import { SAMPLE_SITES } from '../accounts.ts'
import { measurementStep } from './measurement.ts'
import { PropertyData } from './property.ts'
import type { SearchType } from './profiles.ts'

const first = parseDay(measurementStep.from) ?? 0
/** Started so late that nothing is scripted in these weeks. */
const anchor = first + 225
const view = { today: anchor + 30, dayShare: 1 }

function week(property: PropertyData, type: SearchType, from: number) {
  const sum = { clicks: 0, impressions: 0, position: 0 }
  for (let day = from; day < from + 7; day++) {
    const rows = property.rows(type, day, view)
    for (let i = 0; i < (rows?.count ?? 0); i++) {
      sum.clicks += rows?.clicks[i] ?? 0
      sum.impressions += (rows?.clicks[i] ?? 0) + (rows?.seen[i] ?? 0)
      sum.position += rows?.positions[i] ?? 0
    }
  }
  return { ...sum, position: sum.position / sum.impressions }
}

const samples = SAMPLE_SITES.filter(({ profile }) => profile === 'shop' || profile === 'blog')

test.for(samples)('$profile: from the step on, fewer impressions, better positions and the same clicks', (site) => {
  const property = new PropertyData(site.siteUrl, site.profile, anchor, 1)
  const [before, after] = [week(property, 'web', first - 7), week(property, 'web', first)]
  expect(after.impressions / before.impressions).toBeGreaterThan(0.6)
  expect(after.impressions / before.impressions).toBeLessThan(0.8)
  expect(after.position).toBeLessThan(0.95 * before.position)
  expect(Math.abs(after.clicks / before.clicks - 1)).toBeLessThan(0.1)
})

test("the step doesn't affect image search", () => {
  const property = new PropertyData('https://shop.example/', 'shop', anchor, 1)
  const [before, after] = [week(property, 'image', first - 7), week(property, 'image', first)]
  expect(Math.abs(after.impressions / before.impressions - 1)).toBeLessThan(0.15)
})
