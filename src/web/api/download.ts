import { reach } from './client.ts'

export type Download = { file: Blob; name: string }

/** Fetches a file, with the server's name for it. Its size is unknown until the end: `onReceived` gets bytes. */
export async function download(address: string, onReceived: (bytes: number) => void = () => {}): Promise<Download> {
  return reach(address, { credentials: 'include' }, (response) => fileOf(response, onReceived))
}

async function fileOf({ body, headers }: Response, onReceived: (bytes: number) => void): Promise<Download> {
  if (body === null) throw new Error('The file is empty')
  let received = 0
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        received += piece.byteLength
        onReceived(received)
        controller.enqueue(piece)
      },
    }),
  )
  // The browser stores a blob wherever it has room.
  const type = headers.get('content-type') ?? 'application/octet-stream'
  const file = await new Response(counted, { headers: { 'content-type': type } }).blob()
  return { file, name: nameOf(headers.get('content-disposition')) }
}

function nameOf(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1]
  return encoded === undefined ? 'ranklark' : decodeURIComponent(encoded)
}
