import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeTemporarySocket } from './files.ts'
import type { Log } from '../log.ts'

/** PostgreSQL's time for an orderly stop, in milliseconds; afterwards it is stopped at once and recovers on its next start. */
const TIDY_STOP = 15_000
const POLL = 25

/**
 * Clears the way for a new server on `cluster` after an unclean stop: a server still running because only its parent was killed, its
 * remaining processes, or a `postmaster.pid` without a process. The caller holds the directory's lock, so anything running here is a
 * leftover.
 * @param socketDir the new server's own, which is kept
 */
export async function clearLeftovers(cluster: string, socketDir: string, log: Log): Promise<void> {
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
