import { type Filter, readFilters } from '../../contract/explore/explore.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { reportSegmentProblem } from '../../core/analytics/exploration.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import { Refusal } from '../common/errors.ts'
import type { StoredSegment } from '../database/annotation-tables.ts'
import type { Db } from '../database/open.ts'
import type { ReportSubject } from '../../contract/reports/reports.ts'
import type { ReportProperty } from '../accounts/service.ts'

export type SubjectIds = { propertyId: number | null; clientId: number | null }
/** A property counts for reports if it is monitored and attached. */
export type ReportedProperty = ReportProperty & { monitored: boolean }
export type Subject = SubjectIds & { title: string; properties: ReportedProperty[] }

const ofPerson = (db: Db, userId: string) =>
  db
    .selectFrom('properties')
    .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .where('properties.userId', '=', userId)
    .where('properties.detachedAt', 'is', null)
    .select(['properties.id', 'properties.name', 'properties.monitored', 'propertySyncs.completeThrough'])
    .select((eb) => eb.fn.coalesce('propertySyncs.factsVersion', eb.lit(0)).as('factsVersion'))
    .orderBy('properties.name')

/** The subject of a person's request; null if it isn't theirs. */
export async function findSubject(db: Db, userId: string, subject: ReportSubject): Promise<Subject | null> {
  if ('client' in subject) return loadSubject(db, userId, { propertyId: null, clientId: idOf(subject.client) })
  const property = await ofPerson(db, userId).where('properties.name', '=', subject.property).executeTakeFirst()
  return property ? { propertyId: property.id, clientId: null, title: property.name, properties: [property] } : null
}

/** Same by its stored ids; null if it is no longer theirs. Leaves out a client's properties that aren't monitored now. */
export async function loadSubject(db: Db, userId: string, ids: SubjectIds): Promise<Subject | null> {
  if (ids.propertyId !== null) {
    const property = await ofPerson(db, userId).where('properties.id', '=', ids.propertyId).executeTakeFirst()
    return property ? { ...ids, title: property.name, properties: [property] } : null
  }
  const client = await db
    .selectFrom('reportClients')
    .where('userId', '=', userId)
    .where('id', '=', ids.clientId)
    .select(['id', 'name'])
    .executeTakeFirst()
  if (!client) return null
  const properties = await ofPerson(db, userId)
    .where('properties.monitored', '=', true)
    .innerJoin('reportClientProperties', 'reportClientProperties.propertyId', 'properties.id')
    .where('reportClientProperties.clientId', '=', client.id)
    .execute()
  return { ...ids, title: client.name, properties }
}

/** Ids count up; anything that isn't a number belongs to nobody. */
export const idOf = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

/** Finds segments by their owner. */
export type Saved = Pick<AnalyticsService['saved'], 'segment'>

/**
 * The segment a report is asked to be limited to; null for none. It can't be deleted before the transaction ends.
 * @throws Refusal 404 if it isn't theirs, 400 if no stored data answers it
 */
export async function askedSegment(saved: Saved, userId: string, id: string | null | undefined, trx?: Db): Promise<StoredSegment | null> {
  if (id === null || id === undefined) return null
  const segment = await saved.segment(userId, id, trx)
  const problem = reportSegmentProblem(filtersOf(segment))
  if (problem !== null) throw new Refusal(400, problem, 'segment')
  return segment
}

export const filtersOf = (segment: StoredSegment | null): readonly Filter[] => (segment ? readFilters(segment.content).filters : [])

/** `example.com · Blog` */
export const titleWith = (title: string, segment: StoredSegment | null): string => (segment ? `${title} · ${segment.name}` : title)

/** A segment's id as a column. */
export const numberOf = (id: string | null | undefined): number | null => (id === null || id === undefined ? null : Number(id))

/** As a column. */
export const storedSegment = (segment: StoredSegment | null): string | null => (segment ? JSON.stringify(segment) : null)

/** The schedules limited to a segment, in words. */
export async function schedulesLimitedTo(trx: Db, segmentId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('reportSchedules')
    .leftJoin('properties', 'properties.id', 'reportSchedules.propertyId')
    .leftJoin('reportClients', 'reportClients.id', 'reportSchedules.clientId')
    .where('segmentId', '=', segmentId)
    .select((eb) => eb.fn.coalesce('properties.name', 'reportClients.name').as('title'))
    .orderBy('reportSchedules.id')
    .execute()
  return rows.map(({ title }) => `the scheduled report on ${propertyName(title ?? '')}`)
}
