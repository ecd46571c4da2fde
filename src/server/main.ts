import { ConfigError, parseConfig } from './config.ts'
import { systemClock } from './platform/clock.ts'
import { createLog } from './platform/log.ts'
import { startServer } from './server.ts'

/** Sent to the start script, if there is one. */
const send = (message: object): void => void process.send?.(message)

/** Whether we were told to stop: from then on a broken connection is expected. */
let stopping = false

/** Ends the process with one line that a person can act on. */
function giveUp(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  // `pg`'s error for a lost server doesn't say which server.
  process.stderr.write(`${message.startsWith('Connection terminated') ? `PostgreSQL: ${message}` : message}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const config = parseConfig(process.env)
  const log = createLog(config.logLevel, process.stdout.isTTY || process.send !== undefined)
  const server = await startServer({
    config,
    clock: systemClock,
    log,
    progress: (text) => send({ type: 'progress', text }),
    onLost: giveUp,
  })
  const stop = (): void => {
    stopping = true
    server.close().then(() => process.exit(0), giveUp)
  }
  // Asking twice means not wanting to wait.
  const onSignal = (): void => (stopping ? process.exit(1) : stop())
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // The start script is gone, however it ended: nobody else could stop us.
  process.on('disconnect', () => stopping || stop())

  // Only now, because a listener may stop us right away.
  send({ type: 'ready', url: server.url, port: server.port, demo: config.demo })
  if (!process.send) log.info({ url: server.url }, 'ready')
}

process.on('unhandledRejection', giveUp)
process.on('uncaughtException', (error) => {
  if (!stopping) giveUp(error)
})
main().catch((error: unknown) => giveUp(error instanceof ConfigError ? `Configuration: ${error.message}` : error))
