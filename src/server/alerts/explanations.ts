import type { AlertReport } from '../../contract/alerts.ts'
import type { ChangeBreakdown } from '../../contract/change-breakdown.ts'
import type { IsoDate } from '../../contract/common.ts'
import { whySentence } from '../../core/alerting/why.ts'
import type { Sentence } from '../../core/alerting/words.ts'
import type { Db } from '../database/open.ts'
import type { ReportsService } from '../reports/service.ts'
import type { AlertRow } from './alerts-store.ts'
import type { Contributors } from './contributors.ts'
import { fromStored } from './names.ts'

type Explanation = {
  /** Through which day the property is complete. */
  completeThrough: IsoDate | null
  contributors: AlertReport['contributors']
  breakdown: ChangeBreakdown | null
  why: Sentence | null
}
export type Explain = (row: AlertRow) => Promise<Explanation>

type ExplanationsDeps = { db: Db; contributors: Contributors; breakdown: ReportsService['breakdown'] }

/** What is behind an alert, asked of the facts as they are now. */
export function createExplanations({ db, contributors, breakdown }: ExplanationsDeps): Explain {
  async function breakdownOf(row: AlertRow, property: Parameters<typeof breakdown>[0]): Promise<ChangeBreakdown | null> {
    const { type: metric, entityKind: kind, entityName, figures, hours } = row
    if (figures === null || kind === 'connection' || hours?.status === 'preliminary') return null
    if (metric !== 'clicks' && metric !== 'impressions') return null
    const { current, base, scale } = figures.windows
    const of = kind === 'site' ? { kind } : { kind, name: fromStored(entityName) }
    const found = await breakdown(property, { of, metric, current, previous: base, scale })
    // Against what was expected the days before may have had less as well: then they say nothing of this change.
    return found && Math.sign(found.current - found.previous) === Math.sign(figures.change ?? 0) ? found : null
  }

  return async (row) => {
    const sync = await db
      .selectFrom('propertySyncs')
      .where('propertyId', '=', row.propertyId)
      .select(['completeThrough', 'factsVersion'])
      .executeTakeFirst()
    const completeThrough = sync?.completeThrough ?? null
    const property =
      sync && completeThrough ? { id: row.propertyId, name: row.property, completeThrough, factsVersion: sync.factsVersion } : null
    const [told, found] = await Promise.all([contributors(row), property ? breakdownOf(row, property) : null])
    const { type: metric, entityKind: kind, entityName, figures } = row
    const isCounted = (metric === 'clicks' || metric === 'impressions') && kind !== 'connection'
    const days = figures?.months === undefined ? null : figures.windows.base
    const why = found && isCounted ? whySentence({ entity: { kind, name: fromStored(entityName) }, metric, days }, found) : null
    return { completeThrough, contributors: told, breakdown: found, why }
  }
}
