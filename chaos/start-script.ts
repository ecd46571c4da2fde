import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { annotations } from '../src/contract/annotations.ts'
import { until } from '../test/support/until.ts'
import { createVisitor } from '../test/support/visitor.ts'
import { freePort } from './free-port.ts'
import type { Journal } from './journal.ts'
import { commandOf, familyOf, isAlive } from './process-tree.ts'

const script = fileURLToPath(new URL('../scripts/start.mjs', import.meta.url))
const startMs = 180_000
const endMs = 60_000
const note = { date: '2026-01-15', text: 'written before the kill', property: null }

/** Which of the processes that `npm start` starts to kill, by command line; the script's own doesn't match any. */
const victims: readonly { name: string; words: RegExp | null }[] = [
  { name: 'start script', words: null },
  { name: 'server', words: /src\/server\/main\.ts/ },
  { name: 'stand-ins', words: /emulators\/main\.ts/ },
]

/** `npm start` as a newcomer runs it: if one part of it is killed, all others end, nothing is left behind, and it starts again. */
export async function startScript({ directory, journal }: { directory: string; journal: Journal }): Promise<void> {
  const home = path.join(directory, 'start-script')
  await mkdir(home, { recursive: true })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const logFile = path.join(directory, 'start-script.log')
  const env = { ...process.env, DEMO: '1', PORT: String(port), DATA_DIR: path.join(home, 'data'), LOG_LEVEL: 'warn' }
  const begin = async (): Promise<ChildProcess> => {
    const log = openSync(logFile, 'a')
    const child = spawn(process.execPath, [script], { stdio: ['ignore', log, log], env })
    closeSync(log)
    await until(
      () => (child.exitCode === null ? readiness(url) : Promise.reject(new Error(`npm start ended: ${tail(logFile)}`))),
      (status) => status === 200,
      startMs,
    )
    return child
  }

  let child = await begin()
  const person = createVisitor(() => url)
  await person.send('POST', '/api/auth/login', { username: 'demo', password: 'demo-password' })
  if ((await person.send('POST', '/api/annotations', note)).status !== 201) throw new Error('The demo account could not write a note')
  for (const { name, words } of victims) {
    const family = familyOf(child.pid ?? 0)
    const victim = words === null ? child.pid : family.find((pid) => words.test(commandOf(pid)))
    if (victim === undefined) throw new Error(`npm start is running without a ${name}`)
    const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
    process.kill(victim, 'SIGKILL')
    journal.killed({ victim: name, activity: 'npm start', running: [] })
    const begun = performance.now()
    await until(
      async () => family.filter(isAlive).map(commandOf),
      (left) => left.length === 0,
      endMs,
    ).catch((error: unknown) => journal.found(`after a kill of the ${name} not everything ended: ${String(error)}`))
    await ended
    if (child.exitCode === 0) journal.found(`npm start ended as if all were well after a kill of the ${name}`)
    child = await begin()
    journal.cameBack(performance.now() - begun)
    const { notes } = annotations.parse((await person.get('/api/annotations')).body)
    if (notes.filter(({ text }) => text === note.text).length !== 1) journal.found(`the note is not there after a kill of the ${name}`)
  }
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) journal.found(`npm start ended with ${code} when it was asked to stop`)
}

const readiness = (url: string): Promise<number> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => status,
    () => 0,
  )

const tail = (file: string): string => readFileSync(file, 'utf8').slice(-1_000)
