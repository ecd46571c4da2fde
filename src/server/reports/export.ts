import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** All about a person's reports except the files, which are made from other exported data, and the links' secrets. */
export async function exportedReports(db: Db, userId: string) {
  const [brand, clients, schedules, recipients, runs, mails, links] = await Promise.all([
    db
      .selectFrom('reportBrands')
      .where('userId', '=', userId)
      .select(({ ref }) => ['name', ref('colour').as('color'), 'senderName', 'replyTo', 'updatedAt'])
      .select(sql<string | null>`encode(logo, 'base64')`.as('logoPng'))
      .executeTakeFirst(),
    db
      .selectFrom('reportClients')
      .leftJoin('reportClientProperties', 'reportClientProperties.clientId', 'reportClients.id')
      .leftJoin('properties', 'properties.id', 'reportClientProperties.propertyId')
      .where('reportClients.userId', '=', userId)
      .select(['reportClients.name', 'reportClients.createdAt'])
      .select(
        sql<string[]>`coalesce(array_agg(properties.name ORDER BY properties.name) FILTER (WHERE properties.id IS NOT NULL), '{}')`.as(
          'properties',
        ),
      )
      .groupBy('reportClients.id')
      .orderBy('reportClients.id')
      .execute(),
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
      .select('savedExplorations.name as segment')
      .select(['properties.name as property', 'reportClients.name as client', 'reportSchedules.kind', 'reportSchedules.paper'])
      .select(['reportSchedules.recipients', 'reportSchedules.unsubscribed', 'reportSchedules.enabled'])
      .select(['reportSchedules.lastSentAt', 'reportSchedules.createdAt'])
      .orderBy('reportSchedules.id')
      .execute(),
    db
      .selectFrom('reportRecipients')
      .where('userId', '=', userId)
      .select(['address', 'askedAt', 'confirmedAt', 'unsubscribedAt'])
      .orderBy('address')
      .execute(),
    db
      .selectFrom('reportRuns')
      .where('userId', '=', userId)
      .select(['title', 'kind', 'paper', 'periodStart', 'periodEnd', 'state', 'recipients', 'detail', 'createdAt'])
      .orderBy('id')
      .execute(),
    db
      .selectFrom('reportMails')
      .innerJoin('reportRuns', 'reportRuns.id', 'reportMails.runId')
      .where('reportMails.userId', '=', userId)
      .select(['reportRuns.title', 'reportRuns.kind', 'reportRuns.periodStart', 'reportMails.address', 'reportMails.state'])
      .select(['reportMails.sentAt', 'reportMails.detail', 'reportMails.createdAt'])
      .orderBy('reportMails.id')
      .execute(),
    db
      .selectFrom('reportShares')
      .where('userId', '=', userId)
      .select(['title', 'kind', 'periodStart', 'periodEnd', 'createdAt', 'expiresAt', 'views', 'lastViewedAt'])
      .orderBy('id')
      .execute(),
  ])
  return { brand: brand ?? null, clients, schedules, recipients, runs, mails, links }
}
