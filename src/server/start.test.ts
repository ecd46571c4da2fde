import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/support/app.ts'

async function text(app: TestApp, path: string): Promise<[number, string]> {
  const answer = await fetch(app.url + path)
  return [answer.status, await answer.text()]
}

test('/healthz answers once the process is up, /readyz once the stores answer, /metrics in Prometheus text', async () => {
  const app = await startTestApp({ demo: false })
  onTestFinished(() => app.close())

  expect(await text(app, '/healthz')).toEqual([200, '{"status":"ok"}'])
  expect(await text(app, '/readyz')).toEqual([200, '{"status":"ok"}'])
  const [status, metrics] = await text(app, '/metrics')
  expect(status).toBe(200)
  expect(metrics).toMatch(/^# TYPE http_request_duration_seconds histogram$/m)
})

test('a taken port stops the start with one line, and leaves nothing open', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(startTestApp({ demo: false, env: { PORT: String(port) } })).rejects.toThrow(
    `Port ${port} is in use by another program. Choose another one with PORT, or 0 for any free one.`,
  )
})
