import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Secrets recognizable by their format, whoever created them. */
const FORMS = [
  ['an API key', /\brk_[\w-]{43}/],
  ['a Stripe key', /\b(?:(?:sk|rk)_(?:test|live)_|whsec_)[A-Za-z0-9+/]{16,}/],
  ['a Google access token', /\bya29\.[\w-]{8,}/],
  ['a Google refresh token', /\b1\/\/[\w-]{10,}/],
  ['a password in a URL', /\b[a-z][a-z+]*:\/\/[^\s/:@"\\]*:[^\s/:@"\\]+@/],
  ['a credential in a header', /\b(Bearer|Basic) [\w.~+/-]{16,}=*/],
  ['a session cookie', /ranklark\.(session_token|two_factor|google|trust_device)=[\w%.-]{16,}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
]

/** Shorter ones are words that a log may well contain. */
const SHORTEST = 10

/**
 * Finds what a log must not contain: known secrets, and what looks like one.
 * @param {string} log @param {Iterable<string>} secrets @returns {string[]} what was found and where, without the secret
 */
export function secretsIn(log, secrets) {
  const found = []
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST) continue
    // JSON escapes some characters.
    const at = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
      .map((form) => log.indexOf(form))
      .find((place) => place >= 0)
    if (at !== undefined) found.push(`a test secret (${secret.slice(0, 3)}…) in: ${lineAt(log, at, secret)}`)
  }
  for (const [what, form] of FORMS) {
    const match = form.exec(log)
    if (match) found.push(`${what} in: ${lineAt(log, match.index, match[0])}`)
  }
  return found
}

/** @param {string} log @param {number} at @param {string} secret */
function lineAt(log, at, secret) {
  const start = log.lastIndexOf('\n', at) + 1
  const end = log.indexOf('\n', at)
  return log
    .slice(start, end < 0 ? undefined : end)
    .replaceAll(secret, '[the secret]')
    .slice(0, 500)
}

/**
 * Searches everything that the tests' servers logged (test/support/gathered-log.ts): each process wrote its log and the secrets it used.
 * @param {string} directory @returns {{ logs: number, lines: number, secrets: number, found: string[] }}
 */
export function searchLogs(directory) {
  const names = readdirSync(directory)
  const found = []
  let [logs, lines, known] = [0, 0, 0]
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    const log = readFileSync(path.join(directory, name), 'utf8')
    const secrets = name.replace(/\.log$/, '.secrets')
    const held = names.includes(secrets)
      ? readFileSync(path.join(directory, secrets), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : []
    logs += 1
    lines += log.split('\n').length - 1
    known += held.length
    found.push(...secretsIn(log, held))
  }
  return { logs, lines, secrets: known, found: [...new Set(found)] }
}
