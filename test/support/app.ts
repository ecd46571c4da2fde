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
  /** What the server wrote to people. */
  mail: MailControl
  /** Where people pay. */
  stripe: StripeControl
  slack: SlackControl
  sms: SmsControl
  /** A server of some customer. */
  webhook: WebhookControl
  server: RunningServer
  /** Every line the server logged. */
  logLines: string[]
  visitor(): Visitor
  /** A visitor signed in as the demo account. */
  demo(): Promise<Visitor>
  /** What is really stored. */
  stores(): Promise<StoresView>
  /** Puts a job into a queue of the server. */
  send(name: string, content?: object): Promise<void>
  /** The look at what is due that the server takes every minute, now. */
  lookForDue(): Promise<void>
  /** Stops the server and starts it again on the same data, or on what somebody puts into its directory meanwhile. */
  restart(whileDown?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export type TestAppOptions = {
  /** The day that Google and the server take for today, at noon in California; the real one when absent. */
  today?: string
  /** Starts without the demo account and its three properties. */
  demo?: boolean
  /** `false`: nobody gave Stripe's keys. */
  stripe?: boolean
  env?: Record<string, string>
  logLevel?: LogLevel
  /** Calls a minute: what we allow ourselves, and what the stand-in allows. Next to none by default. */
  limits?: { ours?: CallLimits; standIn?: Record<string, number | string> }
  /** How long a property is synced before others get their turn. */
  sliceMs?: number
  /** What jobs in hand get when the server stops: some seconds by default. */
  graceMs?: number
  /** What is stored when it starts: next to nothing by default. */
  from?: Snapshot
  /** It keeps PostgreSQL in its own directory, as `npm start` does, for tests that take that away or carry it elsewhere. */
  ownPostgres?: boolean
  /** Passwords are hashed as in the product, which takes its time. */
  realPasswords?: boolean
  /** How passwords are hashed: quickly by default. */
  passwords?: PasswordHashing
}

/** Quotas of the stand-in that no test comes near. */
export const generousQuotas = {
  querySiteMinute: 600_000,
  queryUserMinute: 600_000,
  queryProjectMinute: 600_000,
  otherUserSecond: 10_000,
  otherUserMinute: 100_000,
}

/** The history of the demo's sites is not fetched, one call a minute apart, where a file needs nothing but its account. */
export const withoutHistory: TestAppOptions = { limits: { ours: { perSite: 2, perUser: 2, perProject: 2 } } }

/** Tables, and the queues of all jobs, of an installation that nobody has used. */
export const unused: Snapshot = {
  name: 'unused',
  async make(home) {
    const config = parseConfig({ PORT: '0', DEMO: '0', DATA_DIR: home.dataDir, ...databaseEnv(home) })
    const server = await startServer({ config, clock: { now: () => new Date() }, log: createLog('silent'), onLost: fail })
    await server.close()
    // What starts from here makes itself a key of its own.
    await rm(path.join(home.dataDir, 'secret.key'))
  },
}

const databaseEnv = ({ databaseUrl }: Partial<Home>) => databaseUrl !== undefined && { DATABASE_URL: databaseUrl }

/** Where the stand-in for Google keeps what it has agreed to, so that a copy of a home is connected like the first one. */
const agreedIn = (dataDir: string): string => path.join(dataDir, 'stand-in')

async function ownHome(snapshot: Snapshot): Promise<Omit<OwnHome, 'databaseUrl'>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-test-'))
  await fillDirectory(snapshot, dataDir)
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

/** Hashing a password takes a fifth of a second of one core when it is done well; what a server does with it is the same. */
export const quickPasswords: PasswordHashing = {
  hash: async (password) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }) => hash === (await quickPasswords.hash(password)),
}

/** The real server on a directory and a database of its own, with real PostgreSQL and ClickHouse, against a Google stand-in over the network. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const from = options.from ?? unused
  const home = options.ownPostgres ? await ownHome(from) : await openHome(from)
  return startTestAppOn(home, options)
}

/** The same on what is there already. */
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
      // Tests say when what is looked at every minute is due: one that came by itself would come between two steps of theirs.
      schedules: false,
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
    lookForDue: () => app.send('sync-due'),
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
