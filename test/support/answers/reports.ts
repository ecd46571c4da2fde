import type { PeriodicReport } from '../../../src/contract/reports/periodic.ts'
import {
  type ReportClient,
  reportBrandChange,
  reportClientChange,
  type ReportSchedule,
  reportScheduleChange,
} from '../../../src/contract/reports/reports.ts'
import type { HeldPlan } from '../../../src/contract/user.ts'
import { advancedReportingRefusal, recipientLimit as recipientLimitOf, whiteLabelRefusal } from '../../../src/core/billing/entitlements.ts'
import { Refusal } from '../../../src/server/common/errors.ts'
import { sampleReport } from '../periodic-report.ts'
import type { Desk } from './desk.ts'
import { shop } from './usual.ts'

/** A one-pixel picture, the server's answer for a logo. */
export const logo = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** The shop's October 2026, on this plan. */
export const reportOf = (plan: HeldPlan, change: Partial<PeriodicReport> = {}): PeriodicReport => {
  const advancedLocked = advancedReportingRefusal(plan)
  return sampleReport(shop, {}, { ...(advancedLocked !== null && { advanced: null }), advancedLocked, ...change })
}

/** Requests of the reports' tabs, for a user with nothing yet; stores the brand, clients and schedules they create. */
export function reportsOn(desk: Desk, plan: HeldPlan): void {
  const report = reportOf(plan)
  desk.answer('GET /api/reports/periods', [report.period])
  desk.answer('GET /api/reports/periodic', report)
  desk.answer('GET /api/report-runs', [])
  desk.answer('GET /api/report-shares', { locked: whiteLabelRefusal(plan), shares: [] })
  keepsBrand(desk, plan)
  keepsClients(desk, plan)
  keepsSchedules(desk, plan)
}

function keepsBrand(desk: Desk, plan: HeldPlan): void {
  const locked = whiteLabelRefusal(plan)
  let brand: ReturnType<typeof reportBrandChange.parse> | null = null
  desk.answer('GET /api/report-brand', () => ({ locked, brand: brand && { ...brand, logo: null } }))
  desk.answer('PUT /api/report-brand', ({ body }) => {
    brand = reportBrandChange.parse(body)
    return { locked, brand: { ...brand, logo: null } }
  })
  desk.answer('PUT /api/report-brand/logo', () => ({ locked, brand: brand && { ...brand, logo } }))
}

function keepsClients(desk: Desk, plan: HeldPlan): void {
  let clients: ReportClient[] = []
  desk.answer('GET /api/report-clients', () => ({ locked: whiteLabelRefusal(plan), clients }))
  desk.answer('POST /api/report-clients', ({ body }) => {
    const client = { id: String(clients.length + 1), ...reportClientChange.parse(body) }
    clients = [...clients, client]
    return client
  })
}

function keepsSchedules(desk: Desk, plan: HeldPlan): void {
  let schedules: ReportSchedule[] = []
  const recipientLimit = recipientLimitOf(plan)
  desk.answer('GET /api/report-schedules', () => ({ locked: advancedReportingRefusal(plan), recipientLimit, schedules }))
  desk.answer('POST /api/report-schedules', ({ body }) => {
    const change = reportScheduleChange.parse(body)
    const schedule = { ...change, id: '1', title: shop, waiting: change.recipients, nextAt: null, lastSentAt: null, problem: null }
    schedules = [...schedules, schedule]
    return schedule
  })
  // Everybody who is asked again agrees.
  desk.answer('POST /api/report-schedules/:id/ask', ({ params }) => {
    schedules = schedules.map((each) => (each.id === params['id'] ? { ...each, waiting: [] } : each))
    const asked = schedules.find(({ id }) => id === params['id'])
    if (asked === undefined) throw new Refusal(404, "This schedule doesn't exist or isn't yours.")
    return asked
  })
}
