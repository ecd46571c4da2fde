import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { gatherKeysOf, gathers, gatherSettings, gatherStream } from './gathered-log.ts'

const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url))

/** The server in its own process, as `npm start` runs it, so that it can be killed. */
export type ServerProcess = {
  readonly url: string
  /** Its actual address, whatever BASE_URL says. */
  readonly local: string
  /** Its entire output, both streams. */
  readonly output: () => string
  /** Exit code; null if a signal ended it. */
  readonly exit: Promise<number | null>
  kill(): Promise<void>
  stop(): Promise<number | null>
}

/** Starts the server and waits until it reports ready. */
export const startServerProcess = (env: Record<string, string>): Promise<ServerProcess> => launchServer(env).ready

/** The same for tests that kill it before it is ready, which rejects `ready`. */
export function launchServer(env: Record<string, string>): { ready: Promise<ServerProcess>; kill(): Promise<void> } {
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', main], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'], TZ: 'UTC', UV_THREADPOOL_SIZE: '12', PORT: '0', LOG_LEVEL: gathers() ? 'trace' : 'warn', ...env },
  })
  gatherSettings(env)
  gatherStream(child.stdout)
  gatherStream(child.stderr)
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const said = new Promise<{ url: string; port: number }>((resolve) => {
    child.on('message', (message: { type: string; url: string; port: number }) => message.type === 'ready' && resolve(message))
  })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return exit
  }
  const kill = async (): Promise<void> => void (await end('SIGKILL'))
  const readyOrEnded = async (): Promise<ServerProcess> => {
    const { url, port } = await Promise.race([
      said,
      exit.then((code) => Promise.reject(new Error(`The server ended with ${code}: ${output}`))),
    ])
    if (env['DATA_DIR']) gatherKeysOf(env['DATA_DIR'])
    return { url, local: `http://127.0.0.1:${port}`, output: () => output, exit, kill, stop: () => end('SIGTERM') }
  }
  return { ready: readyOrEnded(), kill }
}
