import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockDirectory } from '../directory-lock.ts'
import type { Log } from '../log.ts'
import { DATABASE_NAME, DATABASE_USER, type Installation, prepareInstallation, removeTemporarySocket, SOCKET_PORT } from './files.ts'
import { type PostgresProcess, startProcess } from './process.ts'

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

/** PostgreSQL's time for an orderly stop, in milliseconds; afterwards it is stopped at once and recovers on its next start. */
const TIDY_STOP = 15_000
const POLL = 25

/**
 * Clears the way for a new server on `cluster` after an unclean stop: a server still running because only its parent was killed, its
 * remaining processes, or a `postmaster.pid` without a process. The caller holds the directory's lock, so anything running here is a
 * leftover.
 * @param socketDir the new server's own, which is kept
 */
async function clearLeftovers(cluster: string, socketDir: string, log: Log): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid')
  const lines = readLines(pidFile)
  if (lines === undefined) return
  const pid = Number(lines[0])
  if (processesIn(cluster, pid).includes(pid)) {
    log.info({ pid }, 'stopping the PostgreSQL that an earlier server left running')
    process.kill(pid, 'SIGINT')
    if (!(await gone(pid, TIDY_STOP))) process.kill(pid, 'SIGQUIT')
    await gone(pid, TIDY_STOP)
  }
  await stopRemaining(cluster, pid)
  const oldSocketDir = lines[4] ?? ''
  if (oldSocketDir !== socketDir) await removeTemporarySocket(oldSocketDir)
  disown(pidFile)
}

/** Ends processes that outlive a killed postmaster to finish their work; a new server must not meet them. */
async function stopRemaining(cluster: string, postmaster: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGQUIT', 'SIGKILL'] as const) {
    const remaining = processesIn(cluster, postmaster)
    for (const pid of remaining) kill(pid, signal)
    for (const pid of remaining) await gone(pid, 2_000)
  }
}

/**
 * Keeps PostgreSQL from mistaking the old number's current process for its own. The file stays, because PostgreSQL uses its other lines to
 * ensure that no process is still attached to the old server's memory; only the number is replaced by its parent's, which it knows isn't a
 * server.
 */
function disown(pidFile: string): void {
  const lines = readLines(pidFile)
  if (lines === undefined) return
  if (lines.length < 7) rmSync(pidFile, { force: true })
  else writeFileSync(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'))
}

/** The PostgreSQL processes working in `cluster`: by working directory, or by the postmaster's command line without /proc. */
function processesIn(cluster: string, postmaster: number): number[] {
  if (process.platform !== 'linux') return commandLine(postmaster).includes(cluster) ? [postmaster] : []
  const real = realpathSync(cluster)
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) =>
        Number.isInteger(pid) && pid !== process.pid && link(`/proc/${pid}/cwd`) === real && link(`/proc/${pid}/exe`)?.includes('postgres'),
    )
}

function link(name: string): string | undefined {
  try {
    return readlinkSync(name)
  } catch {
    return undefined
  }
}

function commandLine(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

async function gone(pid: number, milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += POLL) {
    if (!isAlive(pid)) return true
    await sleep(POLL)
  }
  return !isAlive(pid)
}

/** A zombie (not yet reaped by its new parent) counts as gone. */
function isAlive(pid: number): boolean {
  if (!kill(pid, 0)) return false
  return process.platform !== 'linux' || link(`/proc/${pid}/exe`) !== undefined
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function readLines(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return undefined
  }
}
