import { z } from 'zod'
import { alertCondition } from '../alert-conditions.ts'
import { alert, alertReport, alertsFilter } from '../alerts.ts'
import { ofAnyProperty, ofProperty, pageQuery, partOf } from './common.ts'

/** An alert; `description` is plain text, `target` the property, and `url` where a person reads its report. */
export const apiAlert = alert.omit({ action: true }).extend({ url: z.string() })
export type ApiAlert = z.infer<typeof apiAlert>
export const apiAlertReport = alertReport.omit({ action: true }).extend({ url: z.string() })

/** `GET /api/v1/alerts`: the latest first; without a property: of all. */
export const apiAlertsQuery = alertsFilter.extend(ofAnyProperty.shape).extend(pageQuery.shape)
export const apiAlerts = partOf(apiAlert)

/** A rule, without what only a form needs. */
export const apiCondition = alertCondition.omit({ icon: true, monitorOptions: true, comparisonOptions: true })
/** `GET /api/v1/conditions` */
export const apiConditionsQuery = ofProperty.extend(pageQuery.shape)
export const apiConditions = partOf(apiCondition)
