import type { AccountDeletion } from '../../contract/account.ts'
import { ApiFailure, send } from './client.ts'

export type Download = { file: Blob; name: string }

/** Everything the server holds of the person, as a ZIP. Nobody knows its size before its end: `onReceived` gets bytes. */
export async function downloadExport(onReceived: (bytes: number) => void): Promise<Download> {
  const response = await fetch('/api/user/export', { credentials: 'include' })
  if (!response.ok || !response.body) throw new ApiFailure(response.status, response.statusText, await response.text())
  let received = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        received += piece.byteLength
        onReceived(received)
        controller.enqueue(piece)
      },
    }),
  )
  // The browser keeps a blob where it has room for it.
  const file = await new Response(counted, { headers: { 'content-type': 'application/zip' } }).blob()
  return { file, name: nameOf(response.headers.get('content-disposition')) }
}

export async function deleteAccount(proof: AccountDeletion): Promise<void> {
  await send('/api/user', { method: 'DELETE', body: proof })
}

function nameOf(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1]
  return encoded === undefined ? 'ranklark.zip' : decodeURIComponent(encoded)
}
