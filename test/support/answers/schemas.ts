import { z } from 'zod'
import * as account from '../../../src/contract/account.ts'
import * as alertConditions from '../../../src/contract/alert-conditions.ts'
import * as alertTemplates from '../../../src/contract/alert-templates.ts'
import * as alerts from '../../../src/contract/alerts.ts'
import * as analytics from '../../../src/contract/analytics.ts'
import * as annotations from '../../../src/contract/annotations.ts'
import * as apiKeys from '../../../src/contract/api-keys.ts'
import * as audit from '../../../src/contract/audit.ts'
import * as billing from '../../../src/contract/billing.ts'
import * as brand from '../../../src/contract/brand.ts'
import * as deliveryChannels from '../../../src/contract/delivery-channels.ts'
import * as delivery from '../../../src/contract/delivery.ts'
import * as imports from '../../../src/contract/import.ts'
import * as keywords from '../../../src/contract/keywords.ts'
import * as metrics from '../../../src/contract/metrics.ts'
import * as pages from '../../../src/contract/pages.ts'
import * as periodicReports from '../../../src/contract/periodic-reports.ts'
import * as publishing from '../../../src/contract/publishing.ts'
import * as search from '../../../src/contract/search.ts'
import * as sites from '../../../src/contract/sites.ts'
import * as support from '../../../src/contract/support.ts'
import * as sync from '../../../src/contract/sync.ts'
import * as today from '../../../src/contract/today.ts'
import * as users from '../../../src/contract/user.ts'
import * as webhookLog from '../../../src/contract/webhook-log.ts'

/** No body at all, or one that nobody reads. */
const nothing = z.null()

/** What each route that the screens ask answers, by the contract. `schemas.test.ts` holds it against the routes of the product. */
export const answerSchemas = {
  'DELETE /api/alert-conditions/:id': nothing,
  'DELETE /api/annotations/:id': nothing,
  'DELETE /api/delivery-channels/slack': deliveryChannels.deliveryChannels,
  'DELETE /api/delivery-channels/sms': deliveryChannels.deliveryChannels,
  'DELETE /api/delivery-channels/webhook': deliveryChannels.deliveryChannels,
  'DELETE /api/keys/:id': nothing,
  'DELETE /api/report-brand/logo': publishing.reportBrand,
  'DELETE /api/report-clients/:id': nothing,
  'DELETE /api/report-schedules/:id': nothing,
  'DELETE /api/report-shares/:id': nothing,
  'DELETE /api/user': nothing,
  'DELETE /api/user/google-sign-ins': users.user,
  'DELETE /api/user/sessions': nothing,
  'DELETE /api/user/two-factor': users.userAnswer,
  'GET /api/alert-conditions': alertConditions.alertConditions,
  'GET /api/alert-templates': alertTemplates.alertTemplates,
  'GET /api/alerts': alerts.alerts,
  'GET /api/alerts/:id': alerts.alertReport,
  'GET /api/alerts/count': alerts.alertsCount,
  'GET /api/analytics/days': analytics.analyticsDays.nullable(),
  'GET /api/analytics/segments': analytics.segments,
  'GET /api/analytics/summary': analytics.analyticsSummary.nullable(),
  'GET /api/annotations': annotations.annotations,
  'GET /api/audit-log': audit.auditLog,
  'GET /api/auth/session': users.session,
  'GET /api/brand': brand.brandList.nullable(),
  'GET /api/brand/split': brand.brandSplit.nullable(),
  'GET /api/delivery-channels': deliveryChannels.deliveryChannels,
  'GET /api/delivery-settings': delivery.deliverySettingsAnswer,
  'GET /api/gsc-properties': sites.gscProperties,
  'GET /api/keys': apiKeys.apiKeys,
  'GET /api/keywords': keywords.keywords,
  'GET /api/keywords/competing': keywords.competingKeywords,
  'GET /api/keywords/opportunities': keywords.opportunities,
  'GET /api/keywords/pages': keywords.keywordPages,
  'GET /api/metrics': metrics.metrics.nullable(),
  'GET /api/pages': pages.pages,
  'GET /api/pages/decay': pages.decay.nullable(),
  'GET /api/pages/keywords': keywords.pageKeywords,
  'GET /api/plans': billing.plans,
  'GET /api/report-brand': publishing.reportBrand,
  'GET /api/report-clients': publishing.reportClients,
  'GET /api/report-runs': publishing.reportRuns,
  'GET /api/report-runs/:id': publishing.reportRun,
  'GET /api/report-schedules': publishing.reportSchedules,
  'GET /api/report-shares': publishing.reportShares,
  'GET /api/reports/periodic': periodicReports.periodicReportAnswer,
  'GET /api/reports/periods': periodicReports.reportPeriods,
  'GET /api/search': search.searchResults,
  'GET /api/shared/:token': publishing.sharedReport,
  'GET /api/subscription': billing.subscription,
  'GET /api/support': support.support,
  'GET /api/sync': sync.syncStatuses,
  'GET /api/today': today.todayAnswer,
  'GET /api/unsubscribe': deliveryChannels.unsubscribeAnswer,
  'GET /api/user': users.user,
  // A file. Screens of tests are only refused it.
  'GET /api/user/export': z.null(),
  'GET /api/user/sessions': account.sessionList,
  'GET /api/webhook-deliveries': webhookLog.webhookDeliveries,
  'GET /api/webhook-deliveries/:id': webhookLog.webhookDeliveryInFull,
  'PATCH /api/alert-conditions/:id': alertConditions.alertCondition,
  'PATCH /api/annotations/:id': annotations.note,
  'PATCH /api/delivery-settings': delivery.deliverySettings,
  'PATCH /api/user': users.user,
  'POST /api/alert-conditions': alertConditions.alertCondition,
  'POST /api/alert-conditions/:id/duplicate': alertConditions.alertCondition,
  'POST /api/alert-conditions/backtest': alertConditions.backtestAnswer,
  'POST /api/alerts/:id/snooze': alerts.alert,
  'POST /api/alerts/:id/unsnooze': alerts.alert,
  'POST /api/alerts/acknowledge': alerts.alerts,
  'POST /api/alerts/evaluate': alerts.evaluateAnswer,
  'POST /api/alerts/test-email': deliveryChannels.testEmailSent,
  'POST /api/alerts/view-all': alerts.alertsCount,
  'POST /api/alerts/viewed': alerts.alerts,
  'POST /api/annotations': annotations.note,
  'POST /api/auth/forgot-password': nothing,
  'POST /api/auth/login': account.loginAnswer,
  'POST /api/auth/logout': nothing,
  'POST /api/auth/register': users.userAnswer,
  'POST /api/auth/reset-password': nothing,
  'POST /api/auth/two-factor': users.userAnswer,
  'POST /api/auth/undo-email': account.undoEmailAnswer,
  'POST /api/auth/verify-email': account.verifyEmailAnswer,
  'POST /api/auth/verify-email/send': nothing,
  'POST /api/create-subscription': billing.createSubscriptionAnswer,
  'POST /api/delivery-channels/email/confirm': deliveryChannels.emailConfirmed,
  'POST /api/delivery-channels/email/test': deliveryChannels.testSent,
  'POST /api/delivery-channels/slack/test': deliveryChannels.testSent,
  'POST /api/delivery-channels/sms/confirm': deliveryChannels.deliveryChannels,
  'POST /api/delivery-channels/sms/test': deliveryChannels.testSent,
  'POST /api/delivery-channels/webhook/secret': deliveryChannels.webhookSecret,
  'POST /api/delivery-channels/webhook/test': deliveryChannels.testSent,
  'POST /api/delivery-settings': delivery.deliverySettings,
  'POST /api/gsc-properties/monitor': sites.selectAnswer,
  'POST /api/gsc-properties/select': sites.selectAnswer,
  'POST /api/import': imports.importAnswer,
  'POST /api/keys': apiKeys.apiKeyMade,
  'POST /api/report-clients': publishing.reportClient,
  'POST /api/report-runs': publishing.reportRun,
  'POST /api/report-schedules': publishing.reportSchedule,
  'POST /api/report-schedules/:id/ask': publishing.reportSchedule,
  'POST /api/report-shares': publishing.reportShareMade,
  'POST /api/subscription/change': billing.changeAnswer,
  'POST /api/subscription/portal': billing.portalAnswer,
  'POST /api/subscription/preview': billing.changePreview,
  'POST /api/subscription/refresh': billing.subscriptionState,
  'POST /api/subscription/resume': billing.subscriptionState,
  'POST /api/support': nothing,
  'POST /api/sync': sync.syncStatus,
  'POST /api/unsubscribe': deliveryChannels.unsubscribeAnswer,
  'POST /api/user/password': nothing,
  'POST /api/user/proof': nothing,
  'POST /api/user/two-factor': account.twoFactorSetup,
  'POST /api/user/two-factor/confirm': users.userAnswer,
  'POST /api/user/two-factor/recovery-codes': account.recoveryCodes,
  'POST /api/webhook-deliveries/:id/resend': webhookLog.webhookDeliveryInFull,
  'PUT /api/brand': brand.brandList,
  'PUT /api/delivery-channels/email': deliveryChannels.deliveryChannels,
  'PUT /api/delivery-channels/slack': deliveryChannels.deliveryChannels,
  'PUT /api/delivery-channels/sms': deliveryChannels.deliveryChannels,
  'PUT /api/delivery-channels/webhook': deliveryChannels.webhookSecret,
  'PUT /api/report-brand': publishing.reportBrand,
  'PUT /api/report-brand/logo': publishing.reportBrand,
  'PUT /api/report-clients/:id': publishing.reportClient,
  'PUT /api/report-schedules/:id': publishing.reportSchedule,
} as const satisfies Record<string, z.ZodType>

export type AskedRoute = keyof typeof answerSchemas
export type AnswerOf<R extends AskedRoute> = z.input<(typeof answerSchemas)[R]>
