import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { createLog, type Log } from '../../src/server/platform/log.ts'

/** The test's own directory, removed after it. @param name a part of its name, to try odd characters */
export function temporaryDirectory(name = 'test'): string {
  const directory = mkdtempSync(path.join(tmpdir(), `ranklark ${name} `))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A log without output. */
export const silentLog: Log = createLog('silent')

/** A log that keeps its lines. */
export function recordingLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { lines, log: createLog('debug', false, { write: (line) => lines.push(line) }) }
}

export type Stores = {
  readonly child: ChildProcess
  /** Its output: one line when its stores are open, or its one-line failure. */
  readonly firstLine: Promise<string>
  readonly exit: Promise<number | null>
}

/**
 * Opens the stores on `dataDir` in a separate process and keeps them open until it is killed or told to stop (SIGTERM).
 * @param as the user it runs as, if this process is root
 */
export function openStoresElsewhere(dataDir: string, stores: 'postgres' | 'clickhouse', as?: { uid: number; gid: number }): Stores {
  const script = fileURLToPath(new URL('platform-stores.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dataDir, stores], { stdio: ['ignore', 'pipe', 'pipe'], ...as })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const firstLine = new Promise<string>((resolve) => {
    let output = ''
    const collect = (text: string): void => {
      output += text
      if (output.includes('\n')) resolve(output.slice(0, output.indexOf('\n')))
    }
    child.stdout?.setEncoding('utf8').on('data', collect)
    child.stderr?.setEncoding('utf8').on('data', collect)
    void exit.then(() => resolve(output))
  })
  return { child, firstLine, exit }
}

/** The postmaster's process, by PostgreSQL's pid file. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Whether a process is running (a zombie isn't). */
export function runs(pid: number): boolean {
  if (!existsSync(`/proc/${pid}`)) return false
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== ''
  } catch {
    return false
  }
}

/** The processes named `name` that `parent` started. */
export function childrenOf(parent: number, name: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && existsSync(`/proc/${pid}/stat`))
    .filter((pid) => new RegExp(`\\(${name}\\) \\S ${parent} `).test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
}

/** Retries until `attempt` doesn't throw, for at most `milliseconds`. */
export async function eventually<T>(attempt: () => T | Promise<T>, milliseconds = 10_000): Promise<T> {
  const end = performance.now() + milliseconds
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
