import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)

/**
 * What a process that doesn't end is doing: its threads from gdb (if available), and what keeps Node's loop alive from its inspector.
 * Returns a sentence saying where that was written.
 */
export async function takeStacks(pid: number | undefined, name: string): Promise<string> {
  if (pid === undefined) return 'no process to look into'
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-stacks-'))
  const file = path.join(directory, `${name}-${pid}.txt`)
  const parts: [string, () => Promise<string>][] = [
    ['threads', () => waits(pid)],
    ['native stacks', () => nativeStacks(pid)],
    ["Node's loop", () => inspect(pid)],
  ]
  const texts: string[] = []
  // One after the other: gdb stops the process.
  for (const [title, part] of parts) texts.push(`## ${title}\n${await part().catch((error: unknown) => `not to be had: ${String(error)}`)}`)
  await writeFile(file, texts.join('\n\n'))
  return `stacks in ${file}`
}

async function waits(pid: number): Promise<string> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lines = tasks.map(async (task) => {
    const [comm, wchan] = await Promise.all(['comm', 'wchan'].map((what) => readFile(`/proc/${pid}/task/${task}/${what}`, 'utf8')))
    return `${task} ${comm?.trim()} ${wchan?.trim()}`
  })
  return (await Promise.all(lines)).join('\n')
}

async function nativeStacks(pid: number): Promise<string> {
  const { stdout } = await run('gdb', ['-p', String(pid), '-batch', '-ex', 'set pagination off', '-ex', 'thread apply all bt 40'], {
    timeout: 120_000,
    maxBuffer: 64 * 1024 ** 2,
  })
  return stdout
}

const target = z.array(z.object({ webSocketDebuggerUrl: z.string() })).min(1)

/** Requests to the process: names of open handles, and the peers of sockets. */
const question = `JSON.stringify({
  resources: process.getActiveResourcesInfo(),
  handles: process._getActiveHandles().map((each) => [each.constructor.name, each.remoteAddress, each.remotePort, each.spawnargs, each._httpMessage?.path]),
  requests: process._getActiveRequests().map((each) => each.constructor.name),
  memory: process.memoryUsage(),
}, null, 1)`

async function inspect(pid: number): Promise<string> {
  process.kill(pid, 'SIGUSR1')
  await sleep(1_000)
  const [first] = target.parse(await (await fetch('http://127.0.0.1:9229/json/list', { signal: AbortSignal.timeout(5_000) })).json())
  const socket = new WebSocket(first?.webSocketDebuggerUrl ?? '')
  try {
    return await new Promise<string>((resolve, reject) => {
      setTimeout(() => reject(new Error('the inspector does not answer')), 10_000).unref()
      socket.addEventListener('error', () => reject(new Error('the inspector cannot be reached')))
      socket.addEventListener('message', ({ data }) => resolve(String(data)))
      socket.addEventListener('open', () =>
        socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: question, returnByValue: true } })),
      )
    })
  } finally {
    socket.close()
  }
}
