import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Account } from './account.ts'
import { explainFailure } from './errors.ts'
import { clusterArgument, type Installation, postgresEnvironment, SOCKET_PORT } from './files.ts'
import type { Log } from '../log.ts'

/** A running server. `exited` settles when it ends for any reason. */
export type PostgresProcess = { readonly pid: number; readonly exited: Promise<void>; stop(): Promise<void> }

const SETTINGS: Record<string, string | number> = {
  // No TCP at all; connecting requires access to the socket's directory and the password.
  listen_addresses: '',
  port: SOCKET_PORT,
  unix_socket_permissions: '0777',
  // Sized for one small server next to Node and ClickHouse.
  max_connections: 50,
  shared_buffers: '48MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  effective_cache_size: '512MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  max_parallel_workers_per_gather: 0,
  jit: 'off',
  // No replication and none of its helpers: fewer processes, fewer writes.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  io_method: 'sync',
  autovacuum_max_workers: 1,
  fsync: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Statements may contain what people typed; the caller reports failed ones.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

const READY = 'database system is ready to accept connections'
const KEPT_LINES = 40
/** Milliseconds for closing connections, before the remaining ones are ended. */
const FAREWELL = 1_000
/** Milliseconds to roll back open transactions and write a last checkpoint, before it is killed. */
const TIDY_STOP = 20_000

/**
 * Starts the server and waits until it accepts connections.
 * @param others settings that override ours, by PostgreSQL's names
 * @throws PostgresError
 */
export async function startProcess(
  installation: Installation,
  log: Log,
  others: Readonly<Record<string, string | number>> = {},
): Promise<PostgresProcess> {
  const { accounts, binaries, cluster, socketDir } = installation
  const settings = Object.entries({ ...SETTINGS, ...others, unix_socket_directories: socketDir })
  const child = spawn(
    binaries.postgres,
    ['-D', clusterArgument(cluster, accounts), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: cluster,
      env: postgresEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      // Its own process group: Ctrl-C in the terminal is for us, and we end it when we no longer need it.
      detached: true,
      ...accounts?.run,
    },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  await readiness(child, installation, log)
  const pid = child.pid
  if (pid === undefined) throw explainFailure('PostgreSQL could not start', cluster, '')
  const watchdog = stopWithUs(pid, accounts?.run)
  void exited.then(() => watchdog.kill('SIGKILL'))
  return { pid, exited, stop: () => stop(child, exited) }
}

/**
 * PostgreSQL would outlive a killed parent. A shell waits for the end of a pipe that only we hold open, however we end, and then asks
 * PostgreSQL to stop.
 */
function stopWithUs(pid: number, account: Account | undefined): ChildProcess {
  const script = 'trap "" INT TERM HUP; read -r _; kill -INT "$1"'
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...account,
  })
  // Without a shell it may be orphaned; the next start stops it.
  watchdog.on('error', () => {})
  watchdog.stdin?.on('error', () => {})
  return watchdog
}

function readiness(child: ChildProcess, { cluster }: Installation, log: Log): Promise<void> {
  const lines: string[] = []
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(explainFailure('PostgreSQL could not start', cluster, error.message)))
    child.once('close', () => reject(explainFailure('PostgreSQL could not start', cluster, lines.join('\n'))))
    if (!child.stderr) return
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      const grave = /^(PANIC|WARNING):/.test(line)
      log[grave ? 'warn' : 'debug']({ postgres: line }, 'PostgreSQL says')
      if (line.includes(READY)) resolve()
    })
  })
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  const signal = (name: NodeJS.Signals) => child.exitCode === null && child.signalCode === null && child.kill(name)
  // "Smart" first: ended pools may still be closing their connections, and would otherwise see a failure. Then "fast": ends connections,
  // keeps everything committed.
  signal('SIGTERM')
  const fast = setTimeout(() => signal('SIGINT'), FAREWELL)
  const impatience = setTimeout(() => signal('SIGQUIT'), TIDY_STOP)
  await exited
  clearTimeout(fast)
  clearTimeout(impatience)
}
