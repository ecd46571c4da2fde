import { type AccountDeletion, userEndpoints } from '../../contract/account.ts'
import { call } from './client.ts'
import { download, type Download } from './download.ts'

/** Everything the server holds of the person, as a ZIP. */
export const downloadExport = (onReceived: (bytes: number) => void): Promise<Download> => download(userEndpoints.export.path, onReceived)

export const deleteAccount = (proof: AccountDeletion): Promise<void> => call(userEndpoints.remove, { body: proof })
