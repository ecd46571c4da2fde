import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** A measurement next to its target. */
export type Figure = { what: string; value: string; bar: string; met: boolean }

const ready = z.object({ name: z.literal('google'), url: z.string(), clientId: z.string(), clientSecret: z.string() })

const { EMULATOR_STATE_DIR: _kept, ...environment } = process.env

export type StandIn = { url: string; clientId: string; clientSecret: string; control: Control; stop(): void }

/** The Google stand-in in its own process, so that its work isn't counted as ours; without limits on calls. */
export async function startStandIn(): Promise<StandIn> {
  const child = spawn(process.execPath, [path.join(root, 'emulators/main.ts'), '--stop-with-parent'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...environment, EMULATOR_GOOGLE_PORT: '0' },
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { url, clientId, clientSecret } = ready.parse(JSON.parse(line))
  const control = createControl(url)
  await control('PUT', 'quotas', {
    querySiteMinute: 1e7,
    queryUserMinute: 1e7,
    queryProjectMinute: 1e7,
    otherUserSecond: 1e6,
    otherUserMinute: 1e6,
  })
  return { url, clientId, clientSecret, control, stop: () => void child.kill() }
}

export type Control = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', call: string, body?: object) => Promise<unknown>

const createControl =
  (url: string): Control =>
  async (method, call, body) => {
    const answer = await fetch(`${url}/_control/${call}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${call}: ${await answer.text()}`)
    return answer.json()
  }

/** A directory that is removed when the benchmark ends. */
export async function scratchDir(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'ranklark-bench-'))
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}

/** The value below which the fraction `p` of the sample lies (nearest rank). */
export function percentile(sample: readonly number[], p: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN
}

/** Milliseconds for each of `times` calls, one after the other. */
export async function timeEach(times: number, call: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await call()
    taken.push(performance.now() - start)
  }
  return taken
}

export const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
