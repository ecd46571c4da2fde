import type { AddressInfo } from 'node:net'
import { createCapabilities, type ServerChoices } from './capabilities.ts'
import type { Config } from './config.ts'
import { ensureDemo } from './demo/demo.ts'
import { createLocks } from './database/locks.ts'
import { leaveDemo } from './demo/leave-demo.ts'
import { registerWebhook } from './demo/stripe-stand-in.ts'
import { createApp, createHealthApp } from './http/app.ts'
import { createDrain } from './http/drain.ts'
import { listen } from './http/listen.ts'
import { routeLimitsIn } from './http/route-limits.ts'
import type { Clock } from './platform/clock.ts'
import { createHandOver } from './platform/command-handshake.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { openQueue } from './platform/queue.ts'
import { loadSecretKeys } from './platform/secrets.ts'
import { needsOf } from './stores/readiness.ts'
import { openStores } from './stores/stores.ts'

export type ServerOptions = ServerChoices & {
  config: Config
  clock: Clock
  log: Log
  progress?: (text: string) => void
  onLost: (error: Error) => void
}

/** Opens the stores, wires the capabilities, starts http and worker. Undoes what it opened if a step fails. */
export async function startServer({ config, clock, log, progress = () => {}, onLost, ...choices }: ServerOptions) {
  await using opened = new AsyncDisposableStack()

  const keys = await loadSecretKeys({ secretKey: config.secretKey, before: config.secretKeysBefore, dataDir: config.dataDir })
  if (keys.length > 1) {
    const words =
      'SECRET_KEY was replaced, and stored values may still need the old one. To encrypt them with the new key, run: npm run rotate-key'
    progress(words)
    log.warn(words)
  }
  progress('Opening PostgreSQL and ClickHouse')
  const stores = await openStores(config, log, onLost)
  opened.defer(stores.close)
  // Before anything uses the stored data, or lets somebody in.
  if (!config.demo) {
    for (const words of await leaveDemo(stores.db, clock.now())) {
      progress(words)
      log.warn(words)
    }
  }
  const worker = config.role !== 'web'
  const { schedules } = choices
  const queue = await openQueue({ url: stores.postgresUrl, log, worker, schedules, alone: config.databaseUrl === undefined })
  opened.defer(() => queue.close(choices.graceMs))
  const metrics = createMetrics()
  opened.defer(() => metrics.close())
  const handOver = createHandOver(config.dataDir)
  opened.defer(() => handOver.close())

  // The URL is known before listening unless the system picks the port.
  let address = config.baseUrl ?? 'http://localhost'
  const https = address.startsWith('https://')
  const capabilities = await createCapabilities({ ...choices, config, stores, queue, keys, baseUrl: () => address, handOver, clock, log })
  opened.defer(() => capabilities.close())
  // Before what its jobs use: running jobs are to be handed back, not fail.
  opened.defer(() => queue.close(choices.graceMs))
  const { accounts, routes } = capabilities
  const drain = createDrain(config.drainSeconds)
  const { trustProxy } = config.http
  const health = { needs: needsOf(stores), drain, metrics, log, trustProxy, baseUrl: () => address }
  const { demo } = config
  const { billing } = config.offer
  const stripe = billing === 'stripe' ? config.stripe : undefined
  const app =
    config.role === 'worker'
      ? createHealthApp(health)
      : await createApp({ ...health, https, stripe, accounts, demo, billing, routeLimits: routeLimitsIn(stores.pool), routes })
  opened.defer(() => drain.close(app))

  if (worker) await capabilities.work()
  // Once, however many processes start.
  if (config.demo && config.google.client) await createLocks(stores.db, 1, '1h').all(['demo'], () => ensureDemo(capabilities.demo))
  await listen(app, config.http)
  const listening = app.server.address() as AddressInfo
  address = config.baseUrl ?? `http://localhost:${listening.port}`
  if (config.role !== 'worker') {
    await handOver.announce(listening)
    if (config.demo) await registerWebhook(config.stripe, address, log)
  }

  const running = opened.move()
  return { url: address, port: listening.port, app, close: () => running.disposeAsync() }
}
export type RunningServer = Awaited<ReturnType<typeof startServer>>
