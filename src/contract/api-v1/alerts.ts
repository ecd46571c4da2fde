import { z } from 'zod'
import { alertCondition, backtestAnswer, conditionChange, newCondition } from '../alerts/conditions.ts'
import { alert, alertFinding, alertReport, alertsFilter, newVerdict, snooze } from '../alerts/alerts.ts'
import { byId } from '../common.ts'
import { endpoint, withKey } from '../endpoint.ts'
import { apiBase, ofAnyProperty, ofProperty, pageQuery, partOf } from './common.ts'

/** An alert; `description` is plain text, `target` the property, and `url` the report for people. */
const ofApi = {
  /** Without the alert's own (docs/decisions/0082); absent if there are none. */
  findings: z.array(alertFinding).optional(),
  url: z.string(),
}
export const apiAlert = alert.omit({ action: true }).extend(ofApi)
export type ApiAlert = z.infer<typeof apiAlert>
export const apiAlertReport = alertReport.omit({ action: true }).extend(ofApi)

/** Latest first; without a property: of all. */
export const apiAlertsQuery = alertsFilter.extend(ofAnyProperty.shape).extend(pageQuery.shape)
export const apiAlerts = partOf(apiAlert)

/** A rule without form-only fields. */
export const apiCondition = alertCondition.omit({ icon: true, monitorOptions: true, comparisonOptions: true })
export const apiConditionsQuery = ofProperty.extend(pageQuery.shape)
export const apiConditions = partOf(apiCondition)

export const apiConditionEndpoints = {
  listConditions: withKey.get(`${apiBase}/conditions`, { query: apiConditionsQuery, isLong: 'names', answer: apiConditions }),
  createCondition: withKey.post(`${apiBase}/conditions`, {
    query: ofProperty,
    body: newCondition,
    bodyBytes: 256 * 1024,
    answer: apiCondition,
    status: 201,
  }),
  getCondition: withKey.get(`${apiBase}/conditions/:id`, { params: byId, answer: apiCondition }),
  updateCondition: withKey.patch(`${apiBase}/conditions/:id`, {
    params: byId,
    body: conditionChange,
    bodyBytes: 256 * 1024,
    answer: apiCondition,
  }),
  deleteCondition: withKey.remove(`${apiBase}/conditions/:id`, { params: byId }),
  backtestCondition: endpoint({
    method: 'POST',
    path: `${apiBase}/conditions/backtest`,
    access: { key: 'read' },
    query: ofProperty,
    body: newCondition,
    bodyBytes: 256 * 1024,
    changesNothing: true,
    answer: backtestAnswer,
  }),
}

export const apiAlertEndpoints = {
  listAlerts: withKey.get(`${apiBase}/alerts`, { query: apiAlertsQuery, isLong: 'names', answer: apiAlerts }),
  getAlert: withKey.get(`${apiBase}/alerts/:id`, { params: byId, isLong: 'names', answer: apiAlertReport }),
  acknowledgeAlert: withKey.post(`${apiBase}/alerts/:id/acknowledge`, { params: byId, answer: apiAlert }),
  snoozeAlert: withKey.post(`${apiBase}/alerts/:id/snooze`, { params: byId, body: snooze, answer: apiAlert }),
  unsnoozeAlert: withKey.post(`${apiBase}/alerts/:id/unsnooze`, { params: byId, answer: apiAlert }),
  rateAlert: withKey.post(`${apiBase}/alerts/:id/verdict`, { params: byId, body: newVerdict, answer: apiAlert }),
}
