import { sql } from 'kysely'
import { jsonArray, jsonObject } from '../common/export-file.ts'
import type { Db } from '../database/open.ts'

/** Rows read at once: each of a few has up to a thousand addresses or a hundred properties, each of many has one. */
const [few, many] = [20, 500]

/** All about a person's reports except the files, which are made from other exported data, and the links' secrets. Read in parts. */
export function exportedReports(db: Db, userId: string): AsyncGenerator<string> {
  const brand = () =>
    db
      .selectFrom('reportBrands')
      .where('userId', '=', userId)
      .select(({ ref }) => ['name', ref('colour').as('color'), 'senderName', 'replyTo', 'updatedAt'])
      .select(sql<string | null>`encode(logo, 'base64')`.as('logoPng'))
      .executeTakeFirst()

  const clients = (after: number) =>
    db
      .selectFrom('reportClients')
      .leftJoin('reportClientProperties', 'reportClientProperties.clientId', 'reportClients.id')
      .leftJoin('properties', 'properties.id', 'reportClientProperties.propertyId')
      .where('reportClients.userId', '=', userId)
      .where('reportClients.id', '>', after)
      .select(['reportClients.id', 'reportClients.name', 'reportClients.createdAt'])
      .select(
        sql<string[]>`coalesce(array_agg(properties.name ORDER BY properties.name) FILTER (WHERE properties.id IS NOT NULL), '{}')`.as(
          'properties',
        ),
      )
      .groupBy('reportClients.id')
      .orderBy('reportClients.id')
      .limit(few)
      .execute()

  const schedules = (after: number) =>
    db
      .selectFrom('reportSchedules')
      .leftJoin('properties', 'properties.id', 'reportSchedules.propertyId')
      .leftJoin('reportClients', 'reportClients.id', 'reportSchedules.clientId')
      .leftJoin('savedExplorations', (join) =>
        join
          .onRef('savedExplorations.id', '=', 'reportSchedules.segmentId')
          .onRef('savedExplorations.userId', '=', 'reportSchedules.userId'),
      )
      .where('reportSchedules.userId', '=', userId)
      .where('reportSchedules.id', '>', after)
      .select(['reportSchedules.id', 'savedExplorations.name as segment'])
      .select(['properties.name as property', 'reportClients.name as client', 'reportSchedules.kind', 'reportSchedules.paper'])
      .select(['reportSchedules.recipients', 'reportSchedules.unsubscribed', 'reportSchedules.enabled'])
      .select(['reportSchedules.lastSentAt', 'reportSchedules.createdAt'])
      .orderBy('reportSchedules.id')
      .limit(few)
      .execute()

  const recipients = (after: number) =>
    db
      .selectFrom(
        db
          .selectFrom('reportRecipients')
          .where('userId', '=', userId)
          .select(['address', 'askedAt', 'confirmedAt', 'unsubscribedAt'])
          // They have no ids of their own.
          .select(sql<number>`(row_number() OVER (ORDER BY address))::integer`.as('id'))
          .as('numbered'),
      )
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(many)
      .execute()

  const runs = (after: number) =>
    db
      .selectFrom('reportRuns')
      .where('userId', '=', userId)
      .where('id', '>', after)
      .select(['id', 'title', 'kind', 'paper', 'periodStart', 'periodEnd', 'state', 'recipients', 'detail', 'createdAt'])
      .orderBy('id')
      .limit(few)
      .execute()

  const mails = (after: number) =>
    db
      .selectFrom('reportMails')
      .innerJoin('reportRuns', 'reportRuns.id', 'reportMails.runId')
      .where('reportMails.userId', '=', userId)
      .where('reportMails.id', '>', after)
      .select([
        'reportMails.id',
        'reportRuns.title',
        'reportRuns.kind',
        'reportRuns.periodStart',
        'reportMails.address',
        'reportMails.state',
      ])
      .select(['reportMails.sentAt', 'reportMails.detail', 'reportMails.createdAt'])
      .orderBy('reportMails.id')
      .limit(many)
      .execute()

  const links = (after: number) =>
    db
      .selectFrom('reportShares')
      .where('userId', '=', userId)
      .where('id', '>', after)
      .select(['id', 'title', 'kind', 'periodStart', 'periodEnd', 'createdAt', 'expiresAt', 'views', 'lastViewedAt'])
      .orderBy('id')
      .limit(few)
      .execute()

  const withoutId = ({ id: _id, ...row }: { id: number }) => row
  return jsonObject({
    brand: async () => (await brand()) ?? null,
    clients: jsonArray(clients, withoutId),
    schedules: jsonArray(schedules, withoutId),
    recipients: jsonArray(recipients, withoutId),
    runs: jsonArray(runs, withoutId),
    mails: jsonArray(mails, withoutId),
    links: jsonArray(links, withoutId),
  })
}
