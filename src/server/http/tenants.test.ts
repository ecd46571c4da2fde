import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { alertConditionEndpoints } from '../../contract/alerts/conditions.ts'
import { apiConditionEndpoints } from '../../contract/api-v1/alerts.ts'
import { abandonedNow, leftNow, reading } from '../platform/tenant.ts'
import { addTenants } from './tenants.ts'

test('reads are abandoned when their client leaves, backtests and MCP tools that read included; changes are carried out', async () => {
  const app = Fastify({ forceCloseConnections: true })
  addTenants(app)
  const begun = new Map<string, { left: AbortSignal | undefined; abandoned: AbortSignal | undefined }>()
  const waiting = (name: string) => () => {
    begun.set(name, { left: leftNow(), abandoned: abandonedNow() })
    return new Promise<void>(() => {})
  }
  app.get('/read', waiting('read'))
  app.post('/change', waiting('change'))
  app.post('/backtest', { config: { endpoint: alertConditionEndpoints.backtest } }, waiting('backtest'))
  app.post('/api-backtest', { config: { endpoint: apiConditionEndpoints.backtestCondition } }, waiting('api-backtest'))
  app.post('/tool', () => reading(waiting('tool')))
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const stop = new AbortController()
  const asked = ['read', 'change', 'backtest', 'api-backtest', 'tool'].map((name) =>
    fetch(`${url}/${name}`, { method: name === 'read' ? 'GET' : 'POST', signal: stop.signal }).catch(() => 'left'),
  )
  await until(
    async () => begun.size,
    (count) => count === 5,
  )
  stop.abort()
  expect(await Promise.all(asked)).toEqual(Array(5).fill('left'))
  await until(
    async () => [...begun.values()].every(({ left }) => left?.aborted === true),
    (all) => all,
  )
  const abandoned = [...begun].filter((one) => one[1].abandoned?.aborted === true).map(([name]) => name)
  expect(abandoned.toSorted()).toEqual(['api-backtest', 'backtest', 'read', 'tool'])
})
