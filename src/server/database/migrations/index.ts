import type { Migration } from 'kysely/migration'
import { peoplePropertiesSync } from './0001-people-properties-sync.ts'
import { accountsBillingDelivery } from './0002-accounts-billing-delivery.ts'
import { alerts } from './0003-alerts.ts'
import { delivery } from './0004-delivery.ts'
import { analytics } from './0005-analytics.ts'
import { reports } from './0006-reports.ts'
import { api } from './0007-api.ts'
import { hours } from './0008-hours.ts'
import { webhookLog } from './0009-webhook-log.ts'
import { manyProcesses } from './0010-many-processes.ts'
import { rulesChanged } from './0011-rules-changed.ts'
import { lastDigests } from './0012-last-digests.ts'
import { syncRounds } from './0013-sync-rounds.ts'
import { grantedPlans } from './0014-granted-plans.ts'
import { loadsOfImports } from './0015-loads-of-imports.ts'
import { syncRuns } from './0016-sync-runs.ts'
import { demoAccounts } from './0017-demo-accounts.ts'
import { formerKeys } from './0018-former-keys.ts'
import { provenSessions } from './0019-proven-sessions.ts'
import { googleSignIns } from './0020-google-sign-ins.ts'
import { leases } from './0021-leases.ts'
import { reportRecipients } from './0023-report-recipients.ts'
import { notesInReports } from './0024-notes-in-reports.ts'
import { findingsLeftOut } from './0026-findings-left-out.ts'
import { dayCounts } from './0027-day-counts.ts'
import { ruleDirection } from './0028-rule-direction.ts'
import { unusualChanges } from './0029-unusual-changes.ts'
import { partsOfAlerts } from './0030-parts-of-alerts.ts'
import { verdicts } from './0031-verdicts.ts'
import { propertyTags } from './0032-property-tags.ts'
import { savedExplorations } from './0033-saved-explorations.ts'
import { googleNews } from './0035-google-news.ts'
import { searchAppearances } from './0036-search-appearances.ts'
import { segmentsOfRules } from './0037-segments-of-rules.ts'
import { segmentsOfReports } from './0038-segments-of-reports.ts'
import { accessVersion } from './0039-access-version.ts'
import { eventsByKind } from './0040-events-by-kind.ts'
import { selectedProperties } from './0041-selected-properties.ts'
import { searchTypesOfRules } from './0042-search-types-of-rules.ts'
import { verificationsByValue } from './0043-verifications-by-value.ts'
import { reportAsks } from './0044-report-asks.ts'
import { findersAndNotices } from './0045-finders-and-notices.ts'
import { holidayCountry } from './0046-holiday-country.ts'
import { daysOfViews } from './0047-days-of-views.ts'
import { letterCounts } from './0048-letter-counts.ts'
import { worsenedAlerts } from './0049-worsened-alerts.ts'
import { dismissedNotices } from './0050-dismissed-notices.ts'
import { endsOfAlerts } from './0051-ends-of-alerts.ts'
import { readersOfLinks } from './0052-readers-of-links.ts'
import { verifiedFactors } from './0053-verified-factors.ts'
import { changesThatWereTold } from './0056-changes-that-were-told.ts'
import { whatSitesAlertsCover } from './0058-what-sites-alerts-cover.ts'
import { shownAndEnded } from './0061-shown-and-ended.ts'
import { baselinesOfSearchTypes } from './0062-baselines-of-search-types.ts'
import { whoseLinksAndNames } from './0063-whose-links-and-names.ts'
import { forgottenProperties } from './0064-forgotten-properties.ts'
import { deletedAccounts } from './0065-deleted-accounts.ts'
import { loadsBeingImported } from './0066-loads-being-imported.ts'

/** Every migration in order of its number; a shipped one never changes. */
export const migrations: Record<string, Migration> = {
  '0001-people-properties-sync': peoplePropertiesSync,
  '0002-accounts-billing-delivery': accountsBillingDelivery,
  '0003-alerts': alerts,
  '0004-delivery': delivery,
  '0005-analytics': analytics,
  '0006-reports': reports,
  '0007-api': api,
  '0008-hours': hours,
  '0009-webhook-log': webhookLog,
  '0010-many-processes': manyProcesses,
  '0011-rules-changed': rulesChanged,
  '0012-last-digests': lastDigests,
  '0013-sync-rounds': syncRounds,
  '0014-granted-plans': grantedPlans,
  '0015-loads-of-imports': loadsOfImports,
  '0016-sync-runs': syncRuns,
  '0017-demo-accounts': demoAccounts,
  '0018-former-keys': formerKeys,
  '0019-proven-sessions': provenSessions,
  '0020-google-sign-ins': googleSignIns,
  '0021-leases': leases,
  '0023-report-recipients': reportRecipients,
  '0024-notes-in-reports': notesInReports,
  '0026-findings-left-out': findingsLeftOut,
  '0027-day-counts': dayCounts,
  '0028-rule-direction': ruleDirection,
  '0029-unusual-changes': unusualChanges,
  '0030-parts-of-alerts': partsOfAlerts,
  '0031-verdicts': verdicts,
  '0032-property-tags': propertyTags,
  '0033-saved-explorations': savedExplorations,
  '0035-google-news': googleNews,
  '0036-search-appearances': searchAppearances,
  '0037-segments-of-rules': segmentsOfRules,
  '0038-segments-of-reports': segmentsOfReports,
  '0039-access-version': accessVersion,
  '0040-events-by-kind': eventsByKind,
  '0041-selected-properties': selectedProperties,
  '0042-search-types-of-rules': searchTypesOfRules,
  '0043-verifications-by-value': verificationsByValue,
  '0044-report-asks': reportAsks,
  '0045-finders-and-notices': findersAndNotices,
  '0046-holiday-country': holidayCountry,
  '0047-days-of-views': daysOfViews,
  '0048-letter-counts': letterCounts,
  '0049-worsened-alerts': worsenedAlerts,
  '0050-dismissed-notices': dismissedNotices,
  '0051-ends-of-alerts': endsOfAlerts,
  '0052-readers-of-links': readersOfLinks,
  '0053-verified-factors': verifiedFactors,
  '0056-changes-that-were-told': changesThatWereTold,
  '0058-what-sites-alerts-cover': whatSitesAlertsCover,
  '0061-shown-and-ended': shownAndEnded,
  '0062-baselines-of-search-types': baselinesOfSearchTypes,
  '0063-whose-links-and-names': whoseLinksAndNames,
  '0064-forgotten-properties': forgottenProperties,
  '0065-deleted-accounts': deletedAccounts,
  '0066-loads-being-imported': loadsBeingImported,
}
