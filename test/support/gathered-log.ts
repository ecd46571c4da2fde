import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Where `npm test` collects the logs of all tests, to search them for secrets (scripts/lib/secrets-in-logs.mjs). */
const directory = (): string | undefined => process.env['GATHERED_LOGS']

/** Whether logs are collected at all; then everything is logged, at the lowest level. */
export const gathers = (): boolean => directory() !== undefined

type Gathered = { name: string; lines: string[]; bytes: number; secrets: Set<string> }
/** Lines are written in chunks of this size: one by one they would take longer than what they log. */
const pieceBytes = 256 * 1024
let files = 0
let current: Gathered = begun()

function begun(): Gathered {
  files += 1
  return { name: `${process.pid}-${files}`, lines: [], bytes: 0, secrets: new Set() }
}

export function gatherLine(line: string): void {
  if (!gathers()) return
  current.lines.push(line)
  current.bytes += line.length
  if (current.bytes > pieceBytes) writeLines()
}

/** Ends the collection for one test file: its log is searched for its own secrets. */
export function endGathering(): void {
  if (!gathers()) return
  writeLines()
  append('secrets', [...current.secrets].map((secret) => `${JSON.stringify(secret)}\n`).join(''))
  current = begun()
}
process.once('exit', endGathering)

function writeLines(): void {
  append('log', current.lines.join(''))
  current.lines = []
  current.bytes = 0
}

function append(kind: 'log' | 'secrets', text: string): void {
  if (text === '') return
  const opened = openSync(path.join(directory() ?? '', `${current.name}.${kind}`), 'a')
  writeSync(opened, text)
  closeSync(opened)
}

/** The output of a separate server process, written line by line, so that two of them don't mix. */
export function gatherStream(stream: Readable | null): void {
  if (gathers() && stream) createInterface({ input: stream }).on('line', (line) => gatherLine(`${line}\n`))
}

/** Must not be found in the log. */
export function gatherSecret(secret: unknown): void {
  if (gathers() && typeof secret === 'string' && secret !== '') current.secrets.add(secret)
}

/** The keys that an installation generated, if any. */
export function gatherKeysOf(dataDir: string): void {
  if (!gathers()) return
  for (const kept of [path.join(dataDir, 'secret.key'), path.join(dataDir, 'postgres', 'password')])
    if (existsSync(kept)) gatherSecret(readFileSync(kept, 'utf8').trim())
}

/** The secrets that a server is started with: whole variables, and the passwords in URLs. */
export function gatherSettings(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (/SECRET|TOKEN$|PASSWORD/.test(name)) gatherSecret(value)
    if (name.endsWith('_URL') && URL.canParse(value)) gatherSecret(decodeURIComponent(new URL(value).password))
  }
}

/** Fields of requests and responses that contain secrets. */
const secretNames = new Set([
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'secret',
  'webhookUrl',
  'clientSecret',
  'accessToken',
  'refreshToken',
])

const isApiKey = (value: unknown): boolean => typeof value === 'string' && value.startsWith('rk_')

/** Every secret in a JSON body. */
export function gatherFrom(body: unknown): void {
  if (!gathers() || typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (secretNames.has(name) || isApiKey(value)) gatherSecret(value)
    if (name === 'recoveryCodes' && Array.isArray(value)) value.forEach(gatherSecret)
    gatherFrom(value)
  }
}
