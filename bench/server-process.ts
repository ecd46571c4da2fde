import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { z } from 'zod'
import serverProcess from '../scripts/server-process.json' with { type: 'json' }
import { ended, root, type StandIn } from './support.ts'

const readySchema = z.object({ type: z.literal('ready'), url: z.string() })

/** The whole server in its own process, with the flags and variables of `npm start`. */
export type BenchServer = {
  url: string
  pid: number
  /** Milliseconds from the start of the process until it answers. */
  startMs: number
  stop(): Promise<void>
}

/** Starts it on a free port and waits until it reports ready. */
export async function startServerProcess(env: Record<string, string>): Promise<BenchServer> {
  const begun = performance.now()
  const child = spawn(process.execPath, [...serverProcess.flags, path.join(root, 'src/server/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Nothing from our own environment, which would be measured too.
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...serverProcess.env, PORT: '0', LOG_LEVEL: 'warn', ...env },
  })
  const url = await readyUrl(child)
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - begun,
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}

/** What a server without the demo account needs to reach the Google stand-in, and nothing else outside. */
export const withGoogle = ({ url, clientId, clientSecret }: StandIn): Record<string, string> => ({
  DEMO: '0',
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
  GOOGLE_API_URL: url,
  GOOGLE_OAUTH_URL: `${url}/o/oauth2/v2/auth`,
  GOOGLE_TOKEN_URL: `${url}/token`,
  GOOGLE_STATUS_URL: 'off',
})

async function readyUrl(child: ChildProcess): Promise<string> {
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${String(code)}`)
  })
  for (;;) {
    const [message] = (await Promise.race([once(child, 'message'), exit])) as [unknown]
    const ready = readySchema.safeParse(message)
    if (ready.success) {
      exit.catch(() => {})
      return ready.data.url
    }
  }
}
