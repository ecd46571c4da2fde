import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import serverProcess from '../scripts/server-process.json' with { type: 'json' }
import { gathers } from '../test/support/gathered-log.ts'
import { takeStacks } from './stacks.ts'

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))

/** One process of Ranklark, restarted whenever it ends, as systemd and containers do. */
export type Service = {
  readonly name: string
  /** Undefined while none is running. */
  pid(): number | undefined
  /** How often it was started. */
  readonly starts: () => number
  /** Whether its current process has reported ready. */
  isReady(): boolean
  /** Waits until it is ready, however often it restarts. @throws if that takes too long, with its last output */
  ready(ms?: number): Promise<void>
  /** kill -9; the supervisor restarts it. Returns whether there was a process. */
  kill(): boolean
  start(): void
  /** SIGTERM, without a restart. @throws if it doesn't end in time */
  stop(): Promise<number | null>
  /** The end of its output. */
  tail(): string
}

export type ServiceOptions = {
  name: string
  env: Record<string, string>
  /** Where its output goes. */
  logFile: string
}

const pauseMs = 100
/** After a process that never became ready: whatever prevents it from starting is still there. */
const longerPauseMs = 1_000
const readyMs = 120_000
const stopMs = 60_000

export function supervise({ name, env, logFile }: ServiceOptions): Service {
  let child: ChildProcess | undefined
  let starts = 0
  let isReady = false
  let wanted = false
  let waiting: NodeJS.Timeout | undefined

  function live(): void {
    if (!wanted) return
    starts += 1
    isReady = false
    const log = openSync(logFile, 'a')
    const life = spawn(process.execPath, [...serverProcess.flags, '--no-warnings', main], {
      stdio: ['ignore', log, log, 'ipc'],
      env: { PATH: process.env['PATH'], TZ: 'UTC', LOG_LEVEL: gathers() ? 'trace' : 'info', ...serverProcess.env, ...env },
    })
    closeSync(log)
    child = life
    life.on('message', (message: { type: string }) => {
      if (message.type === 'ready') isReady = true
    })
    life.once('exit', () => {
      child = undefined
      const pause = isReady ? pauseMs : longerPauseMs
      isReady = false
      if (wanted) waiting = setTimeout(live, pause)
    })
  }

  const tail = (): string => {
    try {
      return readFileSync(logFile, 'utf8').slice(-2_000)
    } catch {
      return ''
    }
  }

  return {
    name,
    pid: () => child?.pid,
    starts: () => starts,
    isReady: () => isReady,
    tail,
    start() {
      wanted = true
      if (!child && !waiting) live()
    },
    async ready(ms = readyMs) {
      const end = Date.now() + ms
      for (;;) {
        if (isReady) return
        if (Date.now() > end) {
          const stacks = await takeStacks(child?.pid, `${name}-start`)
          throw new Error(`${name} did not get ready within ${ms / 1000} s (${stacks}). It wrote: ${tail()}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    kill: () => child?.kill('SIGKILL') ?? false,
    async stop() {
      wanted = false
      clearTimeout(waiting)
      waiting = undefined
      const life = child
      if (!life) return null
      life.kill('SIGTERM')
      const ended = await Promise.race([once(life, 'exit'), new Promise<null>((resolve) => setTimeout(resolve, stopMs, null).unref())])
      if (ended !== null) return ended[0] as number | null
      const stacks = await takeStacks(life.pid, `${name}-stop`)
      life.kill('SIGKILL')
      await once(life, 'exit')
      throw new Error(`${name} did not end within ${stopMs / 1000} s of SIGTERM (${stacks})`)
    },
  }
}
