import { ConfigError, parseConfig } from './config.ts'
import { systemClock } from './platform/clock.ts'
import { createLog } from './platform/log.ts'
import { startServer } from './server.ts'

/** What the starting script is told, when there is one. */
const tell = (message: object): void => void process.send?.(message)

/** Whether we were asked to end: from then on a broken connection is what was asked for. */
let stopping = false

/** Ends the process with one line that a person can act on. */
function giveUp(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  // What `pg` says of a server that went away does not say which server.
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
    progress: (text) => tell({ type: 'progress', text }),
    onLost: giveUp,
  })
  tell({ type: 'ready', url: server.url, port: server.port, demo: config.demo })
  if (!process.send) log.info({ url: server.url }, 'ready')

  const stop = (): void => {
    stopping = true
    server.close().then(() => process.exit(0), giveUp)
  }
  // Who says it twice does not want to wait.
  const onSignal = (): void => (stopping ? process.exit(1) : stop())
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // The starting script is gone, however it ended: nobody is left to stop us.
  process.on('disconnect', () => stopping || stop())
}

process.on('unhandledRejection', giveUp)
process.on('uncaughtException', (error) => {
  if (!stopping) giveUp(error)
})
main().catch((error: unknown) => giveUp(error instanceof ConfigError ? `Configuration: ${error.message}` : error))
