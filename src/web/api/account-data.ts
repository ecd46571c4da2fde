import type { AccountDeletion } from '../../contract/account.ts'
import { send } from './client.ts'
import { download, type Download } from './download.ts'

/** Everything the server holds of the person, as a ZIP. */
export const downloadExport = (onReceived: (bytes: number) => void): Promise<Download> => download('/api/user/export', onReceived)

export async function deleteAccount(proof: AccountDeletion): Promise<void> {
  await send('/api/user', { method: 'DELETE', body: proof })
}
