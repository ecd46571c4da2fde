import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const NAMES = ['google', 'smtp', 'stripe', 'slack', 'sms', 'webhook']

type Line = { name: string; url: string; pid: number; env: Record<string, string> }

async function start(...options: string[]): Promise<{ child: ChildProcess; lines: Line[] }> {
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('no output')
  const lines: Line[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(JSON.parse(line) as Line)
    if (lines.length === NAMES.length) break
  }
  return { child, lines }
}

test('prints one JSON line for each stand-in, all answer, and stop cleanly on SIGTERM', async () => {
  const { child, lines } = await start('--google-port', '0')
  expect(lines.map(({ name, pid }) => ({ name, pid }))).toEqual(NAMES.map((name) => ({ name, pid: child.pid })))
  for (const { url } of lines) expect((await fetch(`${url}/_control/state`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('prints how the server reaches them, and stops with its parent: when its input closes', { tags: ['full'] }, async () => {
  const { child, lines } = await start('--stop-with-parent')
  const env = Object.assign({}, ...lines.map((line) => line.env)) as Line['env']
  expect(env).toEqual({
    EMULATOR_GOOGLE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    EMULATOR_SMTP_URL: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+$/),
    EMULATOR_SMTP_WEB_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    EMULATOR_STRIPE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    EMULATOR_SLACK_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    EMULATOR_SMS_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    EMULATOR_WEBHOOK_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/hook$/),
  })
  child.stdin?.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('invalid ports are refused, each in one line', async () => {
  const names = ['google', 'smtp-web', 'smtp', 'stripe', 'slack', 'sms', 'webhook']
  const options = names.map((name) => `--${name}-port=many`)
  const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = once(child, 'exit')
  const said = await text(child.stderr)
  expect(said.trim().split('\n')).toEqual(names.map((name) => `EMULATOR_${name.toUpperCase().replace('-', '_')}_PORT is not a port: many`))
  expect(await exit).toEqual([2, null])
})
