import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockDirectory } from '../directory-lock.ts'
import { DATABASE_NAME, DATABASE_USER, type Installation, prepareInstallation, SOCKET_PORT } from './files.ts'
import { clearLeftovers } from './leftovers.ts'
import { type PostgresProcess, startProcess } from './process.ts'
import type { Log } from '../log.ts'

export type Connection = { host: string; port: number; user: string; password: string; database: string }

export type EmbeddedPostgres = {
  readonly connection: Connection
  /** The current server's; changes after a restart. */
  readonly pid: number
  stop(): Promise<void>
}

/** This many deaths within this many milliseconds mean that restarting doesn't help. */
const MAX_DEATHS = 5
const DEATHS_WINDOW = 60_000
const PAUSE_BEFORE_RESTART = 200

/**
 * Runs our own PostgreSQL server on `DATA_DIR/postgres`, exclusively (a second server of ours is refused), reachable only through a socket
 * in a private directory. A server that dies is restarted on the same socket.
 * @param onLost called once if it died and can't be brought back
 * @throws PostgresError or DirectoryInUseError, each with one clear line
 */
export async function startEmbeddedPostgres(dataDir: string, log: Log, onLost: (error: Error) => void): Promise<EmbeddedPostgres> {
  const home = path.join(dataDir, 'postgres')
  const lock = lockDirectory(home)
  try {
    const installation = await prepareInstallation(home, log)
    await clearLeftovers(installation.cluster, installation.socketDir, log)
    const server = supervise(installation, await startProcess(installation, log), log, onLost)
    return {
      connection: connectionTo(installation),
      get pid() {
        return server.pid()
      },
      async stop() {
        await server.stop()
        if (installation.socketIsTemporary) await rm(installation.socketDir, { recursive: true, force: true })
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function supervise(installation: Installation, first: PostgresProcess, log: Log, onLost: (error: Error) => void) {
  let current = first
  let stopping = false
  const deaths: number[] = []

  const watch = async (): Promise<void> => {
    for (;;) {
      await current.exited
      if (stopping) return
      deaths.push(performance.now())
      const recent = deaths.filter((time) => performance.now() - time < DEATHS_WINDOW).length
      if (recent >= MAX_DEATHS) throw new Error(`PostgreSQL died ${recent} times within a minute`)
      log.warn({ pid: current.pid }, 'PostgreSQL died; starting it again')
      await sleep(PAUSE_BEFORE_RESTART)
      if (stopping) return
      await clearLeftovers(installation.cluster, installation.socketDir, log)
      current = await startProcess(installation, log)
      // Callers who asked to stop meanwhile wait for us, and then stop this one.
      if (stopping) return
      log.info({ pid: current.pid }, 'PostgreSQL is back')
    }
  }
  const watching = watch().catch((error: unknown) => {
    if (!stopping) onLost(error instanceof Error ? error : new Error(String(error)))
  })

  return {
    pid: () => current.pid,
    async stop(): Promise<void> {
      stopping = true
      await current.stop()
      await watching
      // A restart in progress when we were asked to stop has finished by now.
      await current.stop()
    },
  }
}

function connectionTo({ socketDir, password }: Installation): Connection {
  return { host: socketDir, port: SOCKET_PORT, user: DATABASE_USER, password, database: DATABASE_NAME }
}
