import { parseArgs } from 'node:util'
import { startGoogle } from './google/server.ts'
import { startSlack } from './slack/server.ts'
import { startSms } from './sms/server.ts'
import { startSmtp } from './smtp/server.ts'
import { startStripe } from './stripe/server.ts'
import { startWebhook } from './webhook/server.ts'

/**
 * Starts every stand-in and prints one JSON line for each: {"name","url","pid","env", …}, where `env` is what the server's environment
 * needs to reach it. Options, or variables with the same meaning: --state DIR (EMULATOR_STATE_DIR), --google-port N (EMULATOR_GOOGLE_PORT),
 * --google-client-id (EMULATOR_GOOGLE_CLIENT_ID), --google-client-secret (EMULATOR_GOOGLE_CLIENT_SECRET), --smtp-port N
 * (EMULATOR_SMTP_PORT), --smtp-web-port N (EMULATOR_SMTP_WEB_PORT), --stripe-port N (EMULATOR_STRIPE_PORT), --slack-port N
 * (EMULATOR_SLACK_PORT), --sms-port N (EMULATOR_SMS_PORT), --webhook-port N (EMULATOR_WEBHOOK_PORT), --stop-with-parent.
 */
const { values } = parseArgs({
  options: {
    state: { type: 'string' },
    'google-port': { type: 'string' },
    'google-client-id': { type: 'string' },
    'google-client-secret': { type: 'string' },
    'smtp-port': { type: 'string' },
    'smtp-web-port': { type: 'string' },
    'stripe-port': { type: 'string' },
    'slack-port': { type: 'string' },
    'sms-port': { type: 'string' },
    'webhook-port': { type: 'string' },
    'stop-with-parent': { type: 'boolean', default: false },
  },
})

/** An option, or its variable: `google-port`, `EMULATOR_GOOGLE_PORT`. */
function setting(name: Exclude<keyof typeof values, 'state' | 'stop-with-parent'>): string | undefined {
  return values[name] ?? process.env[variable(name)]
}

function variable(name: string): string {
  return `EMULATOR_${name.toUpperCase().replaceAll('-', '_')}`
}

/** Problems with the settings, one per line. */
const wrong: string[] = []

function port(name: Extract<Parameters<typeof setting>[0], `${string}-port`>): number {
  const text = setting(name)
  const number = Number(text ?? 0)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) wrong.push(`${variable(name)} is not a port: ${text}\n`)
  return number
}

const stateDir = values.state ?? process.env['EMULATOR_STATE_DIR'] ?? null
const running: { close(): Promise<void> }[] = []

type StandIn = { url: string; close(): Promise<void> }

/** Starts one and prints its line; all end if one can't be started. */
async function run<T extends StandIn>(name: string, start: () => Promise<T>, env: (standIn: T) => Record<string, string>): Promise<void> {
  try {
    const standIn = await start()
    running.push(standIn)
    const { url, close: _close, ...rest } = standIn
    process.stdout.write(`${JSON.stringify({ name, url, pid: process.pid, env: env(standIn), ...rest })}\n`)
  } catch (error) {
    process.stderr.write(`the ${name} stand-in did not start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

const clientId = setting('google-client-id')
const clientSecret = setting('google-client-secret')
const google = { port: port('google-port'), stateDir, ...(clientId && { clientId }), ...(clientSecret && { clientSecret }) }
const smtp = { port: port('smtp-web-port'), smtpPort: port('smtp-port'), stateDir }
const stripe = { port: port('stripe-port'), stateDir }
const slack = { port: port('slack-port'), stateDir }
const sms = { port: port('sms-port'), stateDir }
const webhook = { port: port('webhook-port') }
if (wrong.length > 0) {
  process.stderr.write(wrong.join(''))
  process.exit(2)
}

await run(
  'google',
  () => startGoogle(google),
  ({ url }) => ({ EMULATOR_GOOGLE_URL: url }),
)
await run(
  'smtp',
  () => startSmtp(smtp),
  ({ url, smtpUrl }) => ({ EMULATOR_SMTP_URL: smtpUrl, EMULATOR_SMTP_WEB_URL: url }),
)
await run(
  'stripe',
  () => startStripe(stripe),
  ({ url }) => ({ EMULATOR_STRIPE_URL: url }),
)

await run(
  'slack',
  () => startSlack(slack),
  ({ url }) => ({ EMULATOR_SLACK_URL: url }),
)
await run(
  'sms',
  () => startSms(sms),
  ({ url }) => ({ EMULATOR_SMS_URL: url }),
)
await run(
  'webhook',
  () => startWebhook(webhook),
  ({ hookUrl }) => ({ EMULATOR_WEBHOOK_URL: hookUrl }),
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
  // The parent holds the other end of stdin, which closes however the parent ends, including kill -9.
  process.stdin.on('end', () => void stop())
  process.stdin.on('error', () => void stop())
  process.stdin.on('close', () => void stop())
  process.stdin.resume()
}
