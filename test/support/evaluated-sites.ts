import { sql } from 'kysely'
import type { AlertCondition, NewCondition } from '../../src/contract/alerts/conditions.ts'
import type { Alert } from '../../src/contract/alerts/alerts.ts'
import { hasPosition, type SearchType } from '../../src/contract/common.ts'
import { eachDay } from '../../src/core/analytics/days.ts'
import type { ReportProperty } from '../../src/server/accounts/service.ts'
import type { AlertsService } from '../../src/server/alerts/service.ts'
import { alertsServiceOn } from './alerts-service.ts'
import { parseConfig } from '../../src/server/config.ts'
import { createEventBus, type EventBus, type Events } from '../../src/server/common/events.ts'
import type { FactRow } from '../../src/server/facts/load.ts'
import { createSyncStore } from '../../src/server/sync/store.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openStores, type Stores } from '../../src/server/stores/stores.ts'
import { fail, unused } from './app.ts'
import { noteOpen } from './left-open.ts'
import { openHome } from './snapshots.ts'
import { entityFigures } from '../../src/server/facts/questions/entity-figures.ts'
import { entityDays } from '../../src/server/facts/questions/entity-days.ts'
import { hourTotals } from '../../src/server/facts/questions/hours.ts'

/** A page's figures on a day, found by a query of the same name unless another is given. */
export type PageDay = { page: string; query?: string; clicks: number; impressions?: number; position?: number }

export type EvaluatedSites = {
  stores: Stores
  alerts: AlertsService
  clock: { at: Date }
  /** Runs while figures are requested, after rules have been read. */
  meanwhile: {
    happens: (properties: readonly number[]) => Promise<unknown>
    /** While daily figures are asked for. */ daily: () => Promise<unknown>
  }
  /** Events about alerts, latest last. */
  announced: Events['alertsChanged'][]
  events: EventBus
  /** A property of the user `u`, complete through that day, with only these rules; days are stored with `store`. */
  property(name: string, options: { through: string; rules?: readonly NewCondition[] }): Promise<EvaluatedSite>
  close(): Promise<void>
}
export type EvaluatedSite = ReportProperty & {
  rules: AlertCondition[]
  /** Stores whole days; unspecified ones are empty. Web search unless another type is given. */
  store(from: string, to: string, of: (date: string) => readonly PageDay[], type?: SearchType): Promise<void>
  /** How far back Google has been asked, and is to be asked. */
  backfilled(from: string, to: string): Promise<void>
  /** As the sync notes it: another search type is stored from one day on, and final through another. */
  fetched(type: SearchType, from: string, final: string): Promise<void>
  list(): Promise<Alert[]>
}

/** Alerts on the real stores without the rest of the server: nothing happens by itself. */
export async function openEvaluatedSites(now: string): Promise<EvaluatedSites> {
  const home = await openHome(unused)
  const config = parseConfig({ DATA_DIR: home.dataDir, DATABASE_URL: home.databaseUrl })
  const stores = await openStores(config, createLog('silent'), fail)
  const { db } = stores
  const clock = { at: new Date(now) }
  const meanwhile: EvaluatedSites['meanwhile'] = { happens: async () => undefined, daily: async () => undefined }
  const meanwhileByQuestion = new Map<unknown, (properties: readonly number[]) => Promise<unknown>>([
    [entityFigures, (of) => meanwhile.happens(of)],
    [hourTotals, (of) => meanwhile.happens(of)],
    [entityDays, () => meanwhile.daily()],
  ])
  const ask = async (...asked: Parameters<typeof stores.facts.ask>): Promise<unknown> => {
    const [question, about] = asked as [unknown, { properties?: readonly number[] } | undefined]
    await meanwhileByQuestion.get(question)?.(about?.properties ?? [])
    return stores.facts.ask(...asked)
  }
  const facts = { ...stores.facts, ask: ask as typeof stores.facts.ask }
  const announced: EvaluatedSites['announced'] = []
  const events = createEventBus()
  events.on('alertsChanged', async (event) => void announced.push(event))
  const alerts = alertsServiceOn({ db: stores.db, facts, events, clock: { now: () => clock.at } })
  await sql`INSERT INTO users (id, name, email) VALUES ('u', 'u', 'u@example.test')`.execute(db)
  await sql`INSERT INTO people (user_id, plan) VALUES ('u', 'agency')`.execute(db)

  return {
    stores,
    alerts,
    clock,
    meanwhile,
    announced,
    events,
    async property(name, { through, rules = [] }) {
      const { rows } = await sql<{ id: number }>`INSERT INTO properties (user_id, name, kind, monitored)
        VALUES ('u', ${name}, 'google', true) RETURNING id`.execute(db)
      const site: ReportProperty = { id: rows[0]?.id ?? 0, name, completeThrough: through, factsVersion: 1 }
      await sql`INSERT INTO property_syncs (property_id, state, complete_through, facts_version)
        VALUES (${site.id}, 'ok', ${through}, 1)`.execute(db)
      for (const { id } of await alerts.conditions.list(site)) await alerts.conditions.remove('u', id)
      const made: AlertCondition[] = []
      for (const rule of rules) made.push(await alerts.conditions.create(site, rule))
      return {
        ...site,
        rules: made,
        async store(from, to, of, type = 'web') {
          const days = eachDay(from, to)
          const load = await stores.facts.beginLoad(site.id, type)
          const rowsBy = (keysOf: (page: string, query: string) => string[]): FactRow[] =>
            days.flatMap((date) =>
              of(date).map(({ page, query = page, clicks, impressions = clicks * 10, position = 3 }) => ({
                date,
                keys: keysOf(page, query),
                clicks,
                impressions,
                position: hasPosition(type) ? position : 0,
              })),
            )
          const grains = ['total', 'page', ...(hasPosition(type) ? (['query', 'query_page'] as const) : [])] as const
          const keysIn: Record<(typeof grains)[number], (page: string, query: string) => string[]> = {
            total: () => [],
            page: (page) => [page],
            query: (_, query) => [query],
            query_page: (page, query) => [query, page],
          }
          for (const grain of grains) await load.write(grain, summed(rowsBy(keysIn[grain])))
          await load.publish(new Map(grains.map((grain) => [grain, days])))
        },
        async backfilled(from, to) {
          await sql`INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from) VALUES (${site.id}, 'web', ${to}, ${from})
            ON CONFLICT (property_id, search_type) DO UPDATE SET backfilled_from = ${from}`.execute(db)
          await sql`UPDATE property_syncs SET facts_version = facts_version + 1 WHERE property_id = ${site.id}`.execute(db)
        },
        async fetched(type, from, final) {
          const syncs = createSyncStore(db)
          await syncs.ensureType(site.id, type, from)
          await syncs.advance(site.id, type, { from, through: final, final, factsChanged: true }, clock.at)
        },
        list: () => alerts.list('u', { propertyId: site.id, state: 'all', limit: 100, offset: 0 }),
      }
    },
    close: noteOpen(async () => {
      await stores.close()
      await home.remove()
    }),
  }
}

/** One row per day and keys. */
function summed(rows: readonly FactRow[]): FactRow[] {
  return [...Map.groupBy(rows, ({ date, keys }) => JSON.stringify([date, keys])).values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const sum = (metric: 'clicks' | 'impressions') => of.reduce((total, row) => total + row[metric], 0)
    return [{ ...first, clicks: sum('clicks'), impressions: sum('impressions') }]
  })
}
