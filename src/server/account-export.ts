import type { AuditLogOf } from './accounts/audit-log.ts'
import { exportAccount } from './accounts/export-account.ts'
import { createExporter, type Exporter } from './accounts/export.ts'
import { type ExportFile, type ExportSection, jsonFile } from './common/export-file.ts'
import type { AlertsService } from './alerts/service.ts'
import type { AnnotationsService } from './annotations/service.ts'
import { exportedKeys } from './api/export.ts'
import type { BillingService } from './billing/service.ts'
import type { Config } from './config.ts'
import type { Db } from './database/open.ts'
import { exportedChannels, exportedMessages, exportedRefusals } from './delivery/export.ts'
import type { DeliveryService } from './delivery/service.ts'
import { exportColumns, type ExportRow } from './facts/export-rows.ts'
import { type Grain, grains } from './facts/schema.ts'
import type { FactsStore } from './facts/store.ts'
import type { Clock } from './platform/clock.ts'
import { csvFile } from './platform/csv.ts'
import { safeFileNames } from './platform/file-names.ts'
import { exportedProperties } from './sites/export.ts'
import { exportedReports } from './publishing/export.ts'
import { importsOf } from './sync/import/imports-of.ts'

export type AccountExportDeps = {
  config: Pick<Config, 'offer'>
  db: Db
  facts: FactsStore
  clock: Clock
  delivery: DeliveryService
  billing: BillingService
  alerts: AlertsService
  annotations: AnnotationsService
  audit: AuditLogOf
}

/** Puts together what the capabilities hold of a person (`GET /api/user/export`). */
export function createAccountExport({
  config,
  db,
  facts,
  clock,
  delivery,
  billing,
  alerts,
  annotations,
  audit,
}: AccountExportDeps): Exporter {
  const sections: ExportSection[] = [
    exportAccount(db, config.offer),
    async (userId) => {
      const paid = await billing.exportOf(userId)
      const nothing = config.offer.billing === 'off' && paid.customerId === null
      return nothing ? [] : [jsonFile('subscription.json', 'Your subscription.', paid)]
    },
    async (userId) => [
      jsonFile('delivery-settings.json', 'Your alert delivery settings; null if you never changed them.', await delivery.storedOf(userId)),
    ],
    async (userId) => [jsonFile('delivery-channels.json', 'Your alert channels.', await exportedChannels(db, userId))],
    async (userId) => {
      const refusals = await exportedRefusals(db, userId)
      const says = 'Addresses that unsubscribed from the alert emails of your account.'
      return refusals.length === 0 ? [] : [jsonFile('alert-email-unsubscribed.json', says, refusals)]
    },
    exportProperties(db, facts),
    async (userId) => [jsonFile('alerts.json', 'Your alert rules and their alerts.', await alerts.exportOf(userId))],
    async (userId) => [
      jsonFile('notes.json', 'Your notes. A note without a property applies to all of them.', await annotations.exportOf(userId)),
    ],
    async (userId) => [jsonFile('api-keys.json', 'Your API keys, without the secrets themselves.', await exportedKeys(db, userId))],
    async (userId) => [jsonFile('messages.json', 'The alert notifications we sent you.', await exportedMessages(db, userId))],
    async (userId) => [
      jsonFile(
        'reports.json',
        'Your report brand, clients, schedules and shared links, and the reports we sent.',
        await exportedReports(db, userId),
      ),
    ],
    async (userId) => [jsonFile('activity.json', 'Your account activity, with time and origin.', await audit.all(userId))],
    async (userId) => [jsonFile('imports.json', 'The files you imported.', await importsOf(db, userId))],
  ]
  return createExporter({ sections, clock })
}

/** All stored hours of a property, with the instants they begin at. */
async function* exportHours(facts: FactsStore, property: number): AsyncGenerator<ExportRow[], void, undefined> {
  const hours = await facts.hourTotals({ property, from: '2000-01-01', to: '2099-12-31' })
  yield hours.map(({ at, clicks, impressions, positionSum }) => [
    at,
    clicks,
    impressions,
    positionSum === 0 ? null : positionSum / impressions,
  ])
}

const abouts: Record<Grain, string> = {
  total: 'by day',
  page: 'by day and page',
  query: 'by day and query',
  query_page: 'by day, query and page',
  device: 'by day and device',
  country: 'by day and country',
}

/** properties.json, and the figures of each property in a folder of its own. */
const exportProperties =
  (db: Db, facts: FactsStore): ExportSection =>
  async (userId) => {
    const properties = await exportedProperties(db, userId)
    const folders = safeFileNames(properties.map(({ name }) => name))
    const placed = properties.map((property, index) => ({ ...property, folder: `facts/${folders[index]}` }))
    const list = placed.map(({ id: _id, ...property }) => property)
    return [
      jsonFile('properties.json', 'Your properties and the days stored for each. "folder" is where a property\'s data is.', list),
      ...placed.flatMap(({ id, name, folder }) => [
        ...grains.map((grain): ExportFile => ({
          name: `${folder}/${grain}.csv`,
          about: `Clicks, impressions, CTR and position of ${name} ${abouts[grain]}.`,
          // Nothing is asked until the file's turn has come.
          content: csvFile(exportColumns(grain), facts.exportRows(grain, id)),
        })),
        {
          name: `${folder}/hour.csv`,
          about: `Clicks, impressions and position of ${name} by hour, for the hours that are stored.`,
          content: csvFile(['hour', 'clicks', 'impressions', 'position'], exportHours(facts, id)),
        },
      ]),
    ]
  }
