import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url))

/** The server in a process of its own, as `npm start` runs it, so that it can be killed. */
export type ServerProcess = {
  readonly url: string
  /** Everything it wrote, both streams. */
  readonly output: () => string
  /** Exit code; null when a signal ended it. */
  readonly exit: Promise<number | null>
  kill(): Promise<void>
  stop(): Promise<number | null>
}

/** Starts the server and waits until it says that it is ready. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', main], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'], TZ: 'UTC', UV_THREADPOOL_SIZE: '12', PORT: '0', LOG_LEVEL: 'warn', ...env },
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const ready = new Promise<string>((resolve) => {
    child.on('message', (message: { type: string; url?: string }) => message.type === 'ready' && resolve(message.url ?? ''))
  })
  const url = await Promise.race([ready, exit.then((code) => Promise.reject(new Error(`The server ended with ${code}: ${output}`)))])
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return exit
  }
  return { url, output: () => output, exit, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') }
}
