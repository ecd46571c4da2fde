import { queryOptions } from '@tanstack/react-query'
import { sharedReport } from '../../contract/publishing.ts'
import { askFor } from './client.ts'
import { download, type Download } from './download.ts'

const address = (token: string): string => `/api/shared/${encodeURIComponent(token)}`

/** A report for whoever has its link, signed in or not. */
export function sharedReportQuery(token: string) {
  return queryOptions({
    queryKey: ['/api/shared', token],
    queryFn: ({ signal }) => askFor(sharedReport, address(token), { signal }),
  })
}

export const downloadShared = (token: string): Promise<Download> => download(`${address(token)}/report.pdf`)
