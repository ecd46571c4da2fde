import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the front does instead of responding normally. */
export type FrontFault =
  | { kind: 'none' }
  /** Its port is closed, and open connections are gone. */
  | { kind: 'refuse' }
  /** Every response is delayed this much. */
  | { kind: 'delay'; ms: number }
  /** The connection breaks at a matching statement: before it runs, or when half of its response was sent. */
  | { kind: 'cut'; statement: string; when: 'before' | 'in mid-answer' }

export type FrontOptions = {
  /** Its cluster has this name and two shards, each with the properties that belong to it (by the row policies of `shardedTables`). */
  cluster?: string
  /** Tables whose rows belong to one shard. */
  shardedTables?: readonly string[]
}

export type SeenStatement = { text: string; settings: Record<string, string>; agent: string }

/** ClickHouse over HTTP, with the real engine behind it. */
export type ClickHouseFront = {
  /** For CLICKHOUSE_URL. */
  url: string
  fail(fault: FrontFault): Promise<void>
  /** Statements since the last call. */
  seen(): Promise<SeenStatement[]>
  /** kill -9. Returns false if it isn't running. */
  kill(): Promise<boolean>
  /** After a kill: on the same port, with what was stored. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

const script = fileURLToPath(new URL('clickhouse-front-process.ts', import.meta.url))

/** Starts a ClickHouse on its own port, with an empty directory. */
export async function startClickHouseFront(options: FrontOptions = {}): Promise<ClickHouseFront> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-front-'))
  const password = 'front secret'
  const begin = async (port: number) => {
    const started = fork(script, [JSON.stringify({ ...options, directory, password, port })], {
      execArgv: ['--no-warnings'],
      env: { PATH: process.env['PATH'], TZ: 'UTC', UV_THREADPOOL_SIZE: '8' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    return { child: started, port: (await messageFrom<{ port: number }>(started, 'ready')).port }
  }
  let { child, port } = await begin(0)
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    url: `http://default:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    async kill() {
      if (!isRunning()) return false
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      return true
    },
    startAgain: async () => void ({ child, port } = await begin(port)),
    async fail(fault) {
      const set = messageFrom(child, 'set')
      child.send({ type: 'fault', fault })
      await set
    },
    async seen() {
      const answer = messageFrom<{ statements: SeenStatement[] }>(child, 'seen')
      child.send({ type: 'seen' })
      return (await answer).statements
    },
    async close() {
      if (isRunning()) {
        const gone = once(child, 'exit')
        child.send({ type: 'stop' })
        await gone
      }
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function messageFrom<Message extends object>(child: ChildProcess, type: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`ClickHouse's front ended with ${code}`))
    const onMessage = (message: Message & { type: string }): void => {
      if (message.type !== type) return
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(message)
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
  })
}
