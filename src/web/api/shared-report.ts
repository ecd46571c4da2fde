import { queryOptions } from '@tanstack/react-query'
import { addressOf } from '../../contract/endpoint.ts'
import { sharedReportEndpoints as endpoints } from '../../contract/publishing.ts'
import { call } from './client.ts'
import { download, type Download } from './download.ts'

/** A report for whoever has its link, signed in or not. */
export function sharedReportQuery(token: string) {
  return queryOptions({
    queryKey: [endpoints.read.path, token],
    queryFn: ({ signal }) => call(endpoints.read, { params: { token }, signal }),
  })
}

export const downloadShared = (token: string): Promise<Download> => download(addressOf(endpoints.file, { params: { token } }))
