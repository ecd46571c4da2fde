import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { addressOf } from '../../contract/endpoint.ts'
import { periodicReportEndpoints, type ReportKind } from '../../contract/reports/periodic.ts'
import {
  type NewReportRun,
  type NewReportShare,
  type ReportBrand,
  type ReportBrandChange,
  reportBrandEndpoints,
  type reportClientChange,
  reportClientEndpoints,
  type ReportRun,
  reportRunEndpoints,
  type ReportScheduleChange,
  reportScheduleEndpoints,
  reportShareEndpoints,
  type ReportShareMade,
  sharedReportEndpoints,
} from '../../contract/reports/reports.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { call, callAny, parseJson, reach, readAnswer } from './client.ts'
import { download, type Download } from './download.ts'

/** The weeks or months available for reports, latest first. */
export function reportPeriodsQuery(property: string, kind: ReportKind) {
  return queryOptions({
    queryKey: [periodicReportEndpoints.periods.path, property, kind],
    queryFn: ({ signal }) => call(periodicReportEndpoints.periods, { query: { property, kind }, signal }),
  })
}

type ReportParams = { kind: ReportKind; start: string | undefined; segment: string | undefined; plan: HeldPlan }

/** One report, by default the latest; null while there is none. Its content depends on the plan. */
export function periodicReportQuery(property: string, { kind, start, segment, plan }: ReportParams) {
  return queryOptions({
    queryKey: [periodicReportEndpoints.read.path, property, { kind, start, segment }, plan],
    queryFn: ({ signal }) => call(periodicReportEndpoints.read, { query: { property, kind, start, segment }, signal }),
    placeholderData: keepPreviousData,
  })
}

const reads = {
  brand: reportBrandEndpoints.read,
  clients: reportClientEndpoints.list,
  schedules: reportScheduleEndpoints.list,
  runs: reportRunEndpoints.list,
  shares: reportShareEndpoints.list,
} as const
export type Published = keyof typeof reads

/** Refetches what has changed, on any plan. */
export async function reloadPublished(client: QueryClient, ...what: readonly Published[]): Promise<void> {
  await Promise.all(what.map((name) => client.invalidateQueries({ queryKey: [reads[name].path] })))
}

/** A list of the person's own items; the plan determines which are locked. */
const read = <P extends Published>(what: P, plan: HeldPlan) =>
  queryOptions({ queryKey: [reads[what].path, plan], queryFn: ({ signal }) => callAny(reads[what], { signal }) })

export const reportBrandQuery = (plan: HeldPlan) => read('brand', plan)
export const reportClientsQuery = (plan: HeldPlan) => read('clients', plan)
export const reportSchedulesQuery = (plan: HeldPlan) => read('schedules', plan)
export const reportSharesQuery = (plan: HeldPlan) => read('shares', plan)

const lookAgainMillis = 1_500
/** Recent runs; polled while any is in progress. */
export const reportRunsQuery = (plan: HeldPlan) =>
  queryOptions({
    ...read('runs', plan),
    refetchInterval: ({ state }) => (state.data?.some(isRunUnderWay) ? lookAgainMillis : false),
  })

export const isRunUnderWay = ({ state }: Pick<ReportRun, 'state'>): boolean => state === 'waiting' || state === 'running'

export const saveBrand = (change: ReportBrandChange): Promise<ReportBrand> => call(reportBrandEndpoints.save, { body: change })

/** The server checks the file's real type. */
export async function saveLogo(file: File): Promise<ReportBrand> {
  const { method, path } = reportBrandEndpoints.saveLogo
  const request: RequestInit = {
    method,
    credentials: 'include',
    headers: { accept: 'application/json', 'content-type': file.type === '' ? 'application/octet-stream' : file.type },
    body: file,
  }
  const body = parseJson(await reach(path, request, (response) => response.text()), path)
  return readAnswer(reportBrandEndpoints.saveLogo, body, path)
}

export const removeLogo = (): Promise<ReportBrand> => call(reportBrandEndpoints.removeLogo)

export type ClientChange = z.input<typeof reportClientChange>
/** Without an `id`: a new one. */
export const saveClient = (id: string | null, body: ClientChange): Promise<unknown> =>
  id === null ? call(reportClientEndpoints.add, { body }) : call(reportClientEndpoints.change, { params: { id }, body })
export const saveSchedule = (id: string | null, body: ReportScheduleChange): Promise<unknown> =>
  id === null ? call(reportScheduleEndpoints.add, { body }) : call(reportScheduleEndpoints.change, { params: { id }, body })

/** Emails a schedule's recipients again who have yet to agree. */
export const askRecipients = (id: string): Promise<unknown> => call(reportScheduleEndpoints.ask, { params: { id } })

const removals = {
  clients: reportClientEndpoints.remove,
  schedules: reportScheduleEndpoints.remove,
  shares: reportShareEndpoints.withdraw,
} as const
/** Deletes a client or a schedule, or revokes a share. */
export const remove = (what: keyof typeof removals, id: string): Promise<void> => call(removals[what], { params: { id } })

export const startRun = (wanted: NewReportRun): Promise<ReportRun> => call(reportRunEndpoints.start, { body: wanted })
export const runAgain = (id: string, signal: AbortSignal): Promise<ReportRun> => call(reportRunEndpoints.read, { params: { id }, signal })
export const downloadRun = (id: string): Promise<Download> => download(addressOf(reportRunEndpoints.file, { params: { id } }))

export const createShare = (wanted: NewReportShare): Promise<ReportShareMade> => call(reportShareEndpoints.add, { body: wanted })

/** A report for whoever has its link, signed in or not. */
export function sharedReportQuery(token: string) {
  return queryOptions({
    queryKey: [sharedReportEndpoints.read.path, token],
    queryFn: ({ signal }) => call(sharedReportEndpoints.read, { params: { token }, signal }),
  })
}

export const downloadShared = (token: string): Promise<Download> => download(addressOf(sharedReportEndpoints.file, { params: { token } }))
