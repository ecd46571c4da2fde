import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { machineEndpoints } from '../../contract/machine.ts'
import { DirectoryInUseError } from './directory-lock.ts'
import { sameText } from './secrets.ts'

/** How the command line finds the server that owns a DATA_DIR, and proves that it can read that directory. */
const handOverFile = z.object({ url: z.url(), token: z.string().min(32) })
export type HandOverFile = z.infer<typeof handOverFile>

const pathOf = (dataDir: string): string => path.join(dataDir, 'hand-over.json')

export type HandOver = {
  /** Proves that this server knows the token without revealing it; valid for this challenge and this port only. */
  prove(challenge: string, port: number): string
  /** Whether this is the token of this server start; takes the same time for every wrong one. */
  accepts(token: string): boolean
  /** Writes DATA_DIR/hand-over.json (mode 0600) once the server listens. */
  announce(address: AddressInfo): Promise<void>
  /** Removes the file. */
  close(): Promise<void>
}

/** Creates a new token; old ones become useless. */
export function createHandOver(dataDir: string): HandOver {
  const token = randomBytes(32).toString('base64url')

  return {
    accepts(given) {
      return sameText(given, token)
    },
    prove: (challenge, port) => proofOf(token, challenge, port),
    async announce(address) {
      await mkdir(dataDir, { recursive: true })
      const draft = `${pathOf(dataDir)}.${randomUUID()}`
      await writeFile(draft, `${JSON.stringify({ url: localUrl(address), token } satisfies HandOverFile)}\n`, { mode: 0o600, flag: 'wx' })
      await rename(draft, pathOf(dataDir))
    },
    async close() {
      // Another server could have started on this directory since.
      if ((await readHandOver(dataDir))?.token === token) await rm(pathOf(dataDir), { force: true })
    },
  }
}

const proofOf = (token: string, challenge: string, port: number): string =>
  createHmac('sha256', token).update(`hand-over ${port} ${challenge}`).digest('base64url')

const proven = z.object({ proof: z.string() })

/**
 * The server running on this directory; undefined if none is. After a crash its note remains, and anybody on this machine may be listening
 * on its port: whoever answers has to prove knowledge of the token before it, or anything else, is sent.
 */
export async function serverOn(dataDir: string): Promise<HandOverFile | undefined> {
  const note = await readHandOver(dataDir)
  if (!note) return undefined
  const challenge = randomBytes(32).toString('base64url')
  try {
    const answer = await fetch(note.url + machineEndpoints.handOver.path, {
      headers: { 'x-challenge': challenge },
      signal: AbortSignal.timeout(3000),
    })
    const { proof } = proven.parse(await answer.json())
    return sameText(proof, proofOf(note.token, challenge, Number(new URL(note.url).port || 80))) ? note : undefined
  } catch {
    return undefined
  }
}

/** Lets the server on this directory do it if one runs, since one process owns the stores; otherwise does it here. */
export async function throughServerOr<T>(
  dataDir: string,
  through: (server: HandOverFile) => Promise<T>,
  here: () => Promise<T>,
): Promise<T> {
  const server = await serverOn(dataDir)
  if (server) return through(server)
  try {
    return await here()
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error
    // It may just have started, or be busy stopping.
    const started = await serverOn(dataDir)
    if (started) return through(started)
    throw error
  }
}

const said = z.object({ message: z.string() })

/** Sends the server a request that it answers with a sentence. @throws Error with its objection */
export async function askServer({ url, token }: HandOverFile, { method, path: place }: Endpoint, body: object): Promise<string> {
  const answer = await fetch(url + place, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { success, data } = said.safeParse(await answer.json().catch(() => null))
  if (answer.ok && success) return data.message
  throw new Error(success ? data.message : `The server responded with ${answer.status}.`)
}

/** The file as left by the last server on this directory; undefined if there is none. */
export async function readHandOver(dataDir: string): Promise<HandOverFile | undefined> {
  try {
    return handOverFile.parse(JSON.parse(await readFile(pathOf(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

/** The local URL of a server that listens on `address`. */
function localUrl({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
