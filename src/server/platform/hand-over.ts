import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { z } from 'zod'

/** How the command line finds the server that owns a DATA_DIR, and proves that it may read that directory. */
const handOverFile = z.object({ url: z.url(), token: z.string().min(32) })
export type HandOverFile = z.infer<typeof handOverFile>

const pathOf = (dataDir: string): string => path.join(dataDir, 'hand-over.json')

export type HandOver = {
  /** Whether this is the token of this start of the server; takes the same time for every wrong one. */
  accepts(token: string): boolean
  /** Writes DATA_DIR/hand-over.json (mode 0600) once the server listens there. */
  announce(address: AddressInfo): Promise<void>
  /** Removes the file. */
  close(): Promise<void>
}

/** Makes a new token; who holds an old one finds no door open. */
export function createHandOver(dataDir: string): HandOver {
  const token = randomBytes(32).toString('base64url')
  const expected = Buffer.from(token)

  return {
    accepts(given) {
      const bytes = Buffer.from(given)
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    },
    async announce(address) {
      await mkdir(dataDir, { recursive: true })
      const draft = `${pathOf(dataDir)}.${randomUUID()}`
      await writeFile(draft, `${JSON.stringify({ url: localUrl(address), token } satisfies HandOverFile)}\n`, { mode: 0o600, flag: 'wx' })
      await rename(draft, pathOf(dataDir))
    },
    async close() {
      // Another server may have started on this directory since.
      if ((await readHandOver(dataDir))?.token === token) await rm(pathOf(dataDir), { force: true })
    },
  }
}

/** The file as the last server on this directory left it; undefined when there is none. */
export async function readHandOver(dataDir: string): Promise<HandOverFile | undefined> {
  try {
    return handOverFile.parse(JSON.parse(await readFile(pathOf(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

/** Where a server that listens on `address` is reached from its own machine. */
function localUrl({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
