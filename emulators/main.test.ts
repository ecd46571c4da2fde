import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

async function start(...options: string[]): Promise<{ child: ChildProcess; line: { name: string; url: string; pid: number } }> {
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('no output')
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, line: JSON.parse(chunk.toString()) as { name: string; url: string; pid: number } }
}

test('prints one JSON line, answers, and stops cleanly on SIGTERM', async () => {
  const { child, line } = await start('--google-port', '0')
  expect(line).toMatchObject({ name: 'google', pid: child.pid })
  expect((await fetch(`${line.url}/_control/state`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('stops with its parent: when its input closes', async () => {
  const { child } = await start('--stop-with-parent')
  child.stdin?.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a port that is none is refused in one line', async () => {
  const child = spawn(process.execPath, [MAIN, '--google-port', 'many'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(2)
})
