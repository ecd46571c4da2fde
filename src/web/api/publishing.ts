import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  type NewReportRun,
  type NewReportShare,
  reportBrand,
  type ReportBrand,
  type ReportBrandChange,
  type reportClientChange,
  reportClients,
  reportRun,
  type ReportRun,
  reportRuns,
  type ReportScheduleChange,
  reportSchedules,
  reportShareMade,
  type ReportShareMade,
  reportShares,
} from '../../contract/publishing.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { askFor, parseJson, reach, readAnswer, send } from './client.ts'
import { download, type Download } from './download.ts'

const resources = {
  brand: '/api/report-brand',
  clients: '/api/report-clients',
  schedules: '/api/report-schedules',
  runs: '/api/report-runs',
  shares: '/api/report-shares',
} as const
export type Published = keyof typeof resources

/** Asks again for what has changed, on whichever plan. */
export async function reloadPublished(client: QueryClient, ...what: readonly Published[]): Promise<void> {
  await Promise.all(what.map((name) => client.invalidateQueries({ queryKey: [resources[name]] })))
}

/** A list of the person's own; what of it is locked depends on the plan. */
function read<T extends z.ZodType>(resource: string, answer: T, plan: HeldPlan) {
  return queryOptions({ queryKey: [resource, plan], queryFn: ({ signal }) => askFor(answer, resource, { signal }) })
}

export const reportBrandQuery = (plan: HeldPlan) => read(resources.brand, reportBrand, plan)
export const reportClientsQuery = (plan: HeldPlan) => read(resources.clients, reportClients, plan)
export const reportSchedulesQuery = (plan: HeldPlan) => read(resources.schedules, reportSchedules, plan)
export const reportSharesQuery = (plan: HeldPlan) => read(resources.shares, reportShares, plan)

const lookAgainMillis = 1_500
/** What was made lately; looked at again while something is still being made. */
export const reportRunsQuery = (plan: HeldPlan) =>
  queryOptions({
    ...read(resources.runs, reportRuns, plan),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? lookAgainMillis : false),
  })

export const isUnderWay = ({ state }: Pick<ReportRun, 'state'>): boolean => state === 'waiting' || state === 'running'

export const saveBrand = (change: ReportBrandChange): Promise<ReportBrand> =>
  askFor(reportBrand, resources.brand, { method: 'PUT', body: change })

/** The server looks at what the file really is. */
export async function saveLogo(file: File): Promise<ReportBrand> {
  const address = `${resources.brand}/logo`
  const request: RequestInit = {
    method: 'PUT',
    credentials: 'include',
    headers: { accept: 'application/json', 'content-type': file.type === '' ? 'application/octet-stream' : file.type },
    body: file,
  }
  return readAnswer(reportBrand, parseJson(await reach(address, request, (response) => response.text()), address), address)
}

export const removeLogo = (): Promise<ReportBrand> => askFor(reportBrand, `${resources.brand}/logo`, { method: 'DELETE' })

export type ClientChange = z.input<typeof reportClientChange>
/** A new one without an `id`. */
export const saveClient = (id: string | null, change: ClientChange): Promise<unknown> => save(resources.clients, id, change)
export const saveSchedule = (id: string | null, change: ReportScheduleChange): Promise<unknown> => save(resources.schedules, id, change)

/** Writes again to recipients of a schedule who have not agreed yet. */
export const askRecipients = (id: string): Promise<unknown> => send(`${resources.schedules}/${id}/ask`, { method: 'POST' })

const save = (resource: string, id: string | null, body: object): Promise<unknown> =>
  id === null ? send(resource, { method: 'POST', body }) : send(`${resource}/${id}`, { method: 'PUT', body })

/** Deletes a client or a schedule, or withdraws a share. */
export async function remove(what: 'clients' | 'schedules' | 'shares', id: string): Promise<void> {
  await send(`${resources[what]}/${id}`, { method: 'DELETE' })
}

export const startRun = (wanted: NewReportRun): Promise<ReportRun> => askFor(reportRun, resources.runs, { method: 'POST', body: wanted })
export const runAgain = (id: string, signal: AbortSignal): Promise<ReportRun> => askFor(reportRun, `${resources.runs}/${id}`, { signal })
export const downloadRun = (id: string): Promise<Download> => download(`${resources.runs}/${id}/report.pdf`)

export const createShare = (wanted: NewReportShare): Promise<ReportShareMade> =>
  askFor(reportShareMade, resources.shares, { method: 'POST', body: wanted })
