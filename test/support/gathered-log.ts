import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Where `npm test` has the logs of all tests gathered, to look for secrets in them (scripts/lib/secrets-in-logs.mjs). */
const directory = process.env['GATHERED_LOGS']
const file = (kind: 'log' | 'secrets'): string => path.join(directory ?? '', `${process.pid}.${kind}`)

/** Whether logs are gathered at all; then everything is logged, down to the finest. */
export const gathers: boolean = directory !== undefined

export function gatherLine(line: string): void {
  if (gathers) appendFileSync(file('log'), line)
}

/** What a server in a process of its own writes, line by line, so that no two of them write into each other's. */
export function gatherStream(stream: Readable | null): void {
  if (gathers && stream) createInterface({ input: stream }).on('line', (line) => gatherLine(`${line}\n`))
}

const told = new Set<string>()

/** Nothing of this is to be found in the log. */
export function gatherSecret(secret: unknown): void {
  if (!gathers || typeof secret !== 'string' || secret === '' || told.has(secret)) return
  told.add(secret)
  appendFileSync(file('secrets'), `${JSON.stringify(secret)}\n`)
}

/** The keys that an installation made for itself, as far as it did. */
export function gatherKeysOf(dataDir: string): void {
  if (!gathers) return
  for (const kept of [path.join(dataDir, 'secret.key'), path.join(dataDir, 'postgres', 'password')])
    if (existsSync(kept)) gatherSecret(readFileSync(kept, 'utf8').trim())
}

/** The secrets that a server is started with: whole variables, and the passwords in addresses. */
export function gatherSettings(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (/SECRET|TOKEN$|PASSWORD/.test(name)) gatherSecret(value)
    if (name.endsWith('_URL') && URL.canParse(value)) gatherSecret(decodeURIComponent(new URL(value).password))
  }
}

/** Under these names requests and answers hold secrets. */
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

/** Every secret that a body of JSON holds. */
export function gatherFrom(body: unknown): void {
  if (!gathers || typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (secretNames.has(name) || isApiKey(value)) gatherSecret(value)
    if (name === 'recoveryCodes' && Array.isArray(value)) value.forEach(gatherSecret)
    gatherFrom(value)
  }
}
