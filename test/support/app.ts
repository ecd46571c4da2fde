import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startGoogle } from '../../emulators/google/server.ts'
import { startSlack } from '../../emulators/slack/server.ts'
import { type SmsStandIn, startSms } from '../../emulators/sms/server.ts'
import { startSmtp } from '../../emulators/smtp/server.ts'
import { startStripe, type StripeStandIn } from '../../emulators/stripe/server.ts'
import { startWebhook, type WebhookStandIn } from '../../emulators/webhook/server.ts'
import { parseConfig } from '../../src/server/config.ts'
import type { PasswordHashing } from '../../src/server/accounts/passwords/password-hashing.ts'
import type { CallLimits } from '../../src/server/google/quota.ts'
import { createLog, type LogLevel } from '../../src/server/platform/log.ts'
import { type RunningServer, startServer } from '../../src/server/server.ts'
import { gatherKeysOf, gatherLine, gathers, gatherSecret } from './gathered-log.ts'
import { createControl, type Control } from './google-control.ts'
import { googleEnv } from './google-env.ts'
import { runJob } from './jobs.ts'
import { noteOpen } from './left-open.ts'
import { createMailControl, type MailControl } from './mail-control.ts'
import { createSlackControl, createSmsControl, createWebhookControl } from './message-controls.ts'
import type { SlackControl, SmsControl, WebhookControl } from './message-controls.ts'
import { createStripeControl, type StripeControl } from './stripe-control.ts'
import { fillDirectory, type Home, openHome, type OwnHome, type Snapshot } from './snapshots.ts'
import { type StoresView, viewStores } from './stores.ts'
import { createVisitor, type Visitor } from './visitor.ts'

export type { Visitor } from './visitor.ts'

export const sites = {
  shop: 'sc-domain:lumenandloom.example',
  blog: 'https://thecrumbjournal.example/',
  local: 'https://harbourlanephysio.example/',
} as const

export type TestApp = {
  url: string
  dataDir: string
  google: Control
  /** The server's emails. */
  mail: MailControl
  /** Where users pay. */
  stripe: StripeControl
  slack: SlackControl
  sms: SmsControl
  /** A customer's server. */
  webhook: WebhookControl
  server: RunningServer
  /** Every line the server logged. */
  logLines: string[]
  visitor(): Visitor
  /** A visitor signed in as the demo account. */
  demo(): Promise<Visitor>
  /** What is actually stored. */
  stores(): Promise<StoresView>
  /** Adds a job to one of the server's queues. */
  send(name: string, content?: object): Promise<void>
  /** Runs the server's every-minute check for due work, now. */
  lookForDue(): Promise<void>
  /** Restarts the server on the same data, or on what is put into its directory meanwhile. */
  restart(whileDown?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export type TestAppOptions = {
  /** The current day of Google and the server, at noon in California; the real one if absent. */
  today?: string
  /** Starts without the demo account and its three properties. */
  demo?: boolean
  /** `false`: Stripe's keys are missing. */
  stripe?: boolean
  env?: Record<string, string>
  logLevel?: LogLevel
  /** Calls per minute: our own limit, and the stand-in's. Almost none by default. */
  limits?: { ours?: CallLimits; standIn?: Record<string, number | string> }
  /** How long a property is synced before others get their turn. */
  sliceMs?: number
  /** Windows are prepared as in the product; otherwise the first reader waits for them. */
  prepares?: boolean
  /** How long running jobs get when the server stops: some seconds by default. */
  graceMs?: number
  /** What is stored at startup: almost nothing by default. */
  from?: Snapshot
  /** It keeps PostgreSQL in its own directory, like `npm start`, for tests that remove it or move it elsewhere. */
  ownPostgres?: boolean
  /** Passwords are hashed as in the product, which takes time. */
  realPasswords?: boolean
  /** How passwords are hashed: quickly by default. */
  passwords?: PasswordHashing
}

/** The stand-in's quotas, which no test gets near. */
export const generousQuotas = {
  querySiteMinute: 600_000,
  queryUserMinute: 600_000,
  queryProjectMinute: 600_000,
  otherUserSecond: 10_000,
  otherUserMinute: 100_000,
}

/** Fetches almost no history for the demo's sites, one call a minute, for files that only need its account. */
export const withoutHistory: TestAppOptions = { limits: { ours: { perSite: 2, perUser: 2, perProject: 2 } } }

/** Tables, and the queues of all jobs, of an unused installation. */
export const unused: Snapshot = {
  name: 'unused',
  async make(home) {
    const config = parseConfig({ PORT: '0', DEMO: '0', DATA_DIR: home.dataDir, ...databaseEnv(home) })
    const server = await startServer({ config, clock: { now: () => new Date() }, log: createLog('silent'), onLost: fail })
    await server.close()
    // Servers started from this snapshot create their own key.
    await rm(path.join(home.dataDir, 'secret.key'))
  },
}

const databaseEnv = ({ databaseUrl }: Partial<Home>) => databaseUrl !== undefined && { DATABASE_URL: databaseUrl }

/** Where the Google stand-in stores consents, so that a copy of a home is connected like the original. */
const agreedIn = (dataDir: string): string => path.join(dataDir, 'stand-in')

async function ownHome(snapshot: Snapshot): Promise<Omit<OwnHome, 'databaseUrl'>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-test-'))
  await fillDirectory(snapshot, dataDir)
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

/** Proper password hashing takes a fifth of a second of CPU time; what a server does with the hash is the same. */
export const quickPasswords: PasswordHashing = {
  hash: async (password) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }) => hash === (await quickPasswords.hash(password)),
}

/** The real server with its own directory and database, with real PostgreSQL and ClickHouse, against a Google stand-in over the network. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const from = options.from ?? unused
  const home = options.ownPostgres ? await ownHome(from) : await openHome(from)
  return startTestAppOn(home, options)
}

/** The same on existing data. */
export async function startTestAppOn(
  home: Omit<OwnHome, 'databaseUrl'> & Partial<Pick<Home, 'databaseUrl'>>,
  options: TestAppOptions,
): Promise<TestApp> {
  const { dataDir } = home
  const standIn = await startGoogle({
    port: 0,
    ...(options.today && { today: options.today, anchor: options.today }),
    ...(options.demo !== false && { stateDir: agreedIn(dataDir) }),
  })
  const control = createControl(standIn.url)
  const post = await startSmtp()
  const till = await startStripe({ now: () => (options.today ? control.now().getTime() : Date.now()) })
  const stripe = createStripeControl(till)
  await control.call('PUT', 'quotas', options.limits ? { ...generousQuotas, ...options.limits.standIn } : generousQuotas)
  const [workspace, phones, receiver] = await Promise.all([startSlack(), startSms(), startWebhook()])
  const logLines: string[] = []
  const shownLevel = process.env['TEST_LOG_LEVEL']
  const level = options.logLevel ?? (shownLevel as LogLevel | undefined) ?? 'error'
  const severities: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  const isShown = (line: string) => !gathers() || severities.indexOf(/"level":"(\w+)"/.exec(line)?.[1] ?? '') >= severities.indexOf(level)
  const logSink = {
    write(line: string) {
      gatherLine(line)
      if (!isShown(line)) return
      logLines.push(line)
      if (shownLevel) process.stdout.write(line)
    },
  }
  const start = () =>
    startServer({
      config: parseConfig({
        PORT: '0',
        DATA_DIR: dataDir,
        ...databaseEnv(home),
        EMULATOR_GOOGLE_URL: standIn.url,
        EMULATOR_SMTP_URL: post.smtpUrl,
        DEMO: options.demo === false ? '0' : '1',
        ...(options.demo === false && {
          ...googleEnv(standIn, standIn.url),
          SMTP_URL: post.smtpUrl,
          MAIL_FROM: 'Ranklark <no-reply@ranklark.example>',
        }),
        ...messagesEnv({ slackUrl: workspace.url, phones, receiver }, options.demo !== false),
        ...(options.stripe !== false && stripeEnv(till, options.demo !== false)),
        ...options.env,
      }),
      clock: { now: () => (options.today ? control.now() : new Date()) },
      log: createLog(gathers() && level !== 'silent' ? 'trace' : level, false, logSink),
      onLost: fail,
      retry: { attempts: 5, baseMs: 20, random: () => 0.5 },
      limits: options.limits?.ours ?? { perSite: 600_000, perUser: 600_000, perProject: 600_000 },
      sliceMs: options.sliceMs,
      // Tests say when the every-minute checks run: an automatic one would get between two of their steps.
      schedules: false,
      prepares: options.prepares ?? false,
      graceMs: options.graceMs,
      ...(!options.realPasswords && { passwords: options.passwords ?? quickPasswords }),
    })
  if (options.today) control.setNow(options.today)
  let server = await start()
  await stripe.sendTo(server.url)
  gatherKeysOf(dataDir)
  for (const secret of [till.secretKey, till.webhookSecret, standIn.clientSecret, phones.authToken]) gatherSecret(secret)
  let stores: Promise<StoresView> | null = null
  const closeStores = async (): Promise<void> => {
    const opened = stores
    stores = null
    await (await opened)?.close()
  }

  const app: TestApp = {
    get url() {
      return server.url
    },
    get server() {
      return server
    },
    dataDir,
    logLines,
    google: control,
    mail: createMailControl(post.url),
    stripe,
    slack: createSlackControl(workspace.url),
    sms: createSmsControl(phones.url),
    webhook: createWebhookControl(receiver),
    stores: () => (stores ??= viewStores(dataDir)),
    send: async (name, content) => (await app.stores()).send(name, content),
    lookForDue: () => runJob(app, 'sync-due'),
    visitor: () => createVisitor(() => server.url),
    async demo() {
      const visitor = app.visitor()
      const answer = await visitor.send('POST', '/api/auth/login', { username: 'demo', password: 'demo-password' })
      if (answer.status !== 200) throw new Error(`The demo account could not sign in: ${JSON.stringify(answer.body)}`)
      return visitor
    },
    async restart(whileDown) {
      await closeStores()
      await server.close()
      await whileDown?.()
      server = await start()
      await stripe.sendTo(server.url)
    },
    close: noteOpen(async () => {
      await closeStores()
      await server.close()
      await Promise.all([standIn, post, till, workspace, phones, receiver].map((each) => each.close()))
      await home.remove()
    }),
  }
  return app
}

export function fail(error: Error): never {
  throw error
}

type Messages = { slackUrl: string; phones: SmsStandIn; receiver: WebhookStandIn }

function messagesEnv({ slackUrl, phones, receiver }: Messages, demo: boolean): Record<string, string> {
  return demo
    ? { EMULATOR_SLACK_URL: slackUrl, EMULATOR_SMS_URL: phones.url, EMULATOR_WEBHOOK_URL: receiver.hookUrl }
    : {
        SLACK_URL: slackUrl,
        TWILIO_ACCOUNT_SID: phones.accountSid,
        TWILIO_AUTH_TOKEN: phones.authToken,
        TWILIO_FROM: phones.number,
        TWILIO_API_URL: phones.url,
        WEBHOOK_PRIVATE_HOSTS: new URL(receiver.hookUrl).host,
      }
}

function stripeEnv(till: StripeStandIn, demo: boolean): Record<string, string> {
  return demo
    ? { EMULATOR_STRIPE_URL: till.url }
    : {
        STRIPE_SECRET_KEY: till.secretKey,
        STRIPE_PUBLISHABLE_KEY: till.publishableKey,
        STRIPE_WEBHOOK_SECRET: till.webhookSecret,
        STRIPE_API_URL: till.url,
      }
}
