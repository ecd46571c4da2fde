import { parseArgs } from 'node:util'
import { startGoogle } from './google/server.ts'

/**
 * Starts every stand-in and prints one JSON line for each: {"name","url","pid", …}. Options, or variables of the same
 * meaning: --state DIR (EMULATOR_STATE_DIR), --google-port N (EMULATOR_GOOGLE_PORT), --google-client-id
 * (EMULATOR_GOOGLE_CLIENT_ID), --google-client-secret (EMULATOR_GOOGLE_CLIENT_SECRET), --stop-with-parent.
 */
const { values } = parseArgs({
  options: {
    state: { type: 'string' },
    'google-port': { type: 'string' },
    'google-client-id': { type: 'string' },
    'google-client-secret': { type: 'string' },
    'stop-with-parent': { type: 'boolean', default: false },
  },
})

function portFrom(text: string | undefined, name: string): number {
  const port = Number(text ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    process.stderr.write(`${name} is not a port: ${text}\n`)
    process.exit(2)
  }
  return port
}

const clientId = values['google-client-id'] ?? process.env['EMULATOR_GOOGLE_CLIENT_ID']
const clientSecret = values['google-client-secret'] ?? process.env['EMULATOR_GOOGLE_CLIENT_SECRET']

let google
try {
  google = await startGoogle({
    port: portFrom(values['google-port'] ?? process.env['EMULATOR_GOOGLE_PORT'], 'EMULATOR_GOOGLE_PORT'),
    stateDir: values.state ?? process.env['EMULATOR_STATE_DIR'] ?? null,
    ...(clientId ? { clientId } : {}),
    ...(clientSecret ? { clientSecret } : {}),
  })
} catch (error) {
  process.stderr.write(`the Google stand-in did not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

const running = [google]
const { url, oauthUrl, tokenUrl, apiUrl, clientId: id, clientSecret: secret, anchor } = google
process.stdout.write(
  `${JSON.stringify({ name: 'google', url, pid: process.pid, oauthUrl, tokenUrl, apiUrl, clientId: id, clientSecret: secret, anchor })}\n`,
)

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await Promise.allSettled(running.map((each) => each.close()))
  process.exit(0)
}

process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
if (values['stop-with-parent']) {
  // The parent holds the other end of stdin: it closes however the parent ends, kill -9 included.
  process.stdin.on('end', () => void stop())
  process.stdin.on('error', () => void stop())
  process.stdin.on('close', () => void stop())
  process.stdin.resume()
}
