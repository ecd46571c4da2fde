import { propertyName } from '../../core/accounts/property-name.ts'
import { type ExportFile, type ExportSection, jsonFile } from '../common/export-file.ts'
import type { Db } from '../database/open.ts'
import { exportColumns, type ExportRow } from '../facts/export-rows.ts'
import { type Grain, grains } from '../facts/schema.ts'
import type { FactsStore } from '../facts/store.ts'
import { csvFile } from '../common/csv-file.ts'
import { safeFileNames } from '../platform/file-names.ts'
import { hourTotals } from '../facts/questions/hours.ts'

/** Every property of a person, including those of a disconnected Google account: their facts are still stored. */
async function exportedProperties(db: Db, userId: string) {
  return db
    .selectFrom('properties')
    .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .leftJoin('people', 'people.selectedPropertyId', 'properties.id')
    .where('properties.userId', '=', userId)
    .select(['properties.id', 'properties.name', 'properties.kind', 'properties.permissionLevel', 'properties.monitored'])
    .select(['properties.pausedAt', 'properties.detachedAt', 'properties.createdAt', 'properties.brandTerms', 'properties.tags'])
    .select('properties.holidayCountry')
    .select(['propertySyncs.state as syncState', 'propertySyncs.lastSyncedAt', 'propertySyncs.completeThrough'])
    .select(({ eb }) => eb('people.userId', 'is not', null).as('selected'))
    .orderBy('properties.id')
    .execute()
}

/** All stored hours of a property, with their starting instants. */
async function* exportHours(facts: FactsStore, property: number): AsyncGenerator<ExportRow[], void, undefined> {
  const hours = await facts.ask(hourTotals, { property, from: '2000-01-01', to: '2099-12-31' })
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
  search_appearance: 'by day and search appearance',
}

/** properties.json, and each property's figures in its own folder. */
export const exportSites =
  (db: Db, facts: FactsStore): ExportSection =>
  async (userId) => {
    const properties = await exportedProperties(db, userId)
    const folders = safeFileNames(properties.map(({ name }) => propertyName(name)))
    const placed = properties.map((property, index) => ({ ...property, folder: `facts/${folders[index]}` }))
    const list = placed.map(({ id: _id, ...property }) => property)
    return [
      jsonFile(
        'properties.json',
        'Your properties and the days stored for each. "folder" is the folder that holds a property\'s data.',
        list,
      ),
      ...placed.flatMap(({ id, name, folder }) => [
        ...grains.map((grain): ExportFile => ({
          name: `${folder}/${grain}.csv`,
          about: `Clicks, impressions, CTR and position for ${propertyName(name)} ${abouts[grain]}.`,
          // Nothing is read before the file's turn.
          content: csvFile(exportColumns(grain), facts.exportRows(grain, id)),
        })),
        {
          name: `${folder}/hour.csv`,
          about: `Clicks, impressions and position for ${propertyName(name)} by hour, for the hours that are stored.`,
          content: csvFile(['hour', 'clicks', 'impressions', 'position'], exportHours(facts, id)),
        },
      ]),
    ]
  }
