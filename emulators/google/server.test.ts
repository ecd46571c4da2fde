import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startGoogle } from './server.ts'
import { DEMO_ACCOUNT, openBench, SHOP } from './testing.ts'

test('a restart keeps the anchor, the refresh tokens and the consent', async () => {
  const stateDir = join(mkdtempSync(join(tmpdir(), 'google-')), 'state')
  const first = await startGoogle({ stateDir, today: '2026-07-15' })
  const granted = (await (
    await fetch(`${first.url}/_control/grant`, { method: 'POST', body: JSON.stringify({ account: DEMO_ACCOUNT }) })
  ).json()) as { refresh_token: string }
  await first.close()
  expect(statSync(join(stateDir, 'google.json')).mode & 0o077).toBe(0)
  expect(JSON.parse(readFileSync(join(stateDir, 'google.json'), 'utf8'))).toMatchObject({ anchor: '2026-07-15' })

  const second = await startGoogle({ stateDir, today: '2026-09-01' })
  expect(second.anchor).toBe('2026-07-15')
  const body = new URLSearchParams({
    client_id: second.clientId,
    client_secret: second.clientSecret,
    grant_type: 'refresh_token',
    refresh_token: granted.refresh_token,
  })
  expect((await fetch(second.tokenUrl, { method: 'POST', body })).status).toBe(200)
  await second.close()
  rmSync(stateDir, { recursive: true })
})

test('a taken port is refused, and closing ends hanging calls', async () => {
  const bench = await openBench()
  await expect(startGoogle({ port: bench.google.port })).rejects.toThrow(/EADDRINUSE/)
  await bench.control('POST', 'fail', { error: 'hang' })
  const hanging = bench.query(SHOP, {}).catch((error: unknown) => error)
  await bench.control('GET', 'state')
  await new Promise((resolve) => setTimeout(resolve, 50))
  await bench.google.close()
  expect(await hanging).toBeInstanceOf(Error)
})

test('the anchor moves the incidents, and nothing else', async () => {
  const [early, late] = [await openBench({ anchor: '2026-06-01' }), await openBench({ anchor: '2026-07-15' })]
  const quiet = { startDate: '2025-12-20', endDate: '2025-12-27', dimensions: ['device'] }
  expect((await early.query(SHOP, quiet)).text).toBe((await late.query(SHOP, quiet)).text)
  const incidents = (await early.control('GET', `incidents?site=${SHOP}`))['incidents'] as { id: string; start: string }[]
  expect(incidents.find((incident) => incident.id === 'shop-clicks-drop')?.start).toBe('2026-02-25')
  await Promise.all([early.google.close(), late.google.close()])
})
