import { z } from 'zod'
import { alertCondition, backtestAnswer, conditionChange, newCondition } from '../alerts/conditions.ts'
import { alert, alertFinding, alertReport, alertsFilter, newVerdict, snooze } from '../alerts/alerts.ts'
import { byId } from '../common.ts'
import { endpoint } from '../endpoint.ts'
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
  listConditions: endpoint({
    method: 'GET',
    path: `${apiBase}/conditions`,
    access: { key: 'read' },
    query: apiConditionsQuery,
    isLong: 'names',
    answer: apiConditions,
  }),
  createCondition: endpoint({
    method: 'POST',
    path: `${apiBase}/conditions`,
    access: { key: 'write' },
    query: ofProperty,
    body: newCondition,
    bodyBytes: 256 * 1024,
    answer: apiCondition,
    status: 201,
  }),
  getCondition: endpoint({ method: 'GET', path: `${apiBase}/conditions/:id`, access: { key: 'read' }, params: byId, answer: apiCondition }),
  updateCondition: endpoint({
    method: 'PATCH',
    path: `${apiBase}/conditions/:id`,
    access: { key: 'write' },
    params: byId,
    body: conditionChange,
    bodyBytes: 256 * 1024,
    answer: apiCondition,
  }),
  deleteCondition: endpoint({ method: 'DELETE', path: `${apiBase}/conditions/:id`, access: { key: 'write' }, params: byId }),
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
  listAlerts: endpoint({
    method: 'GET',
    path: `${apiBase}/alerts`,
    access: { key: 'read' },
    query: apiAlertsQuery,
    isLong: 'names',
    answer: apiAlerts,
  }),
  getAlert: endpoint({
    method: 'GET',
    path: `${apiBase}/alerts/:id`,
    access: { key: 'read' },
    params: byId,
    isLong: 'names',
    answer: apiAlertReport,
  }),
  acknowledgeAlert: endpoint({
    method: 'POST',
    path: `${apiBase}/alerts/:id/acknowledge`,
    access: { key: 'write' },
    params: byId,
    answer: apiAlert,
  }),
  snoozeAlert: endpoint({
    method: 'POST',
    path: `${apiBase}/alerts/:id/snooze`,
    access: { key: 'write' },
    params: byId,
    body: snooze,
    answer: apiAlert,
  }),
  unsnoozeAlert: endpoint({
    method: 'POST',
    path: `${apiBase}/alerts/:id/unsnooze`,
    access: { key: 'write' },
    params: byId,
    answer: apiAlert,
  }),
  rateAlert: endpoint({
    method: 'POST',
    path: `${apiBase}/alerts/:id/verdict`,
    access: { key: 'write' },
    params: byId,
    body: newVerdict,
    answer: apiAlert,
  }),
}
