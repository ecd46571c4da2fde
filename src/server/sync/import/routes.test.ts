import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Person } from '../../accounts/service.ts'
import { Refusal } from '../../common/errors.ts'
import { runImport } from '../../commands/import.ts'
import { handOverRoutes, ofThisMachine } from '../../http/this-machine.ts'
import { createHandOver, readHandOver } from '../../platform/command-handshake.ts'
import { importRoutes } from './routes.ts'
import { createImportService } from './service.ts'
import { today } from '../../../../test/support/import-files.ts'
import { openTestStores, type TestStores } from '../../../../test/support/import-stores.ts'

const chart = 'date,clicks,impressions,ctr,position\n2026-07-01,1200,3450,34.78%,5.5\n'
let stores: TestStores
let app: FastifyInstance
let url: string

beforeAll(async () => {
  stores = await openTestStores()
  await stores.person('agency', 'demo')
  await stores.pool.query(`UPDATE people SET demo = 'sample'`)
  await stores.person('agency', 'ann')
  // On its first day, an account may upload less.
  await stores.pool.query(`UPDATE users SET created_at = '2026-01-01'`)
  const handOver = createHandOver(stores.dataDir)
  app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Refusal ? error.status : 500
    return reply.status(status).send({ message: error instanceof Error ? error.message : '' })
  })
  const imports = createImportService({ ...stores, demo: true, clock: { now: () => new Date(`${today}T20:00:00Z`) } })
  app.setSerializerCompiler(serializerCompiler)
  // The cookie is the sender's id.
  app.decorate('sessionOf', async (id) => (id === undefined ? null : { person: { id } as Person, expiresAt: new Date(), isProven: true }))
  await app.register(importRoutes({ imports, attempts: { count: async () => {} }, ofThisMachine: ofThisMachine(handOver) }))
  await app.register(handOverRoutes(handOver))
  app.addHook('onClose', () => handOver.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  await handOver.announce(app.server.address() as AddressInfo)
  url = (await readHandOver(stores.dataDir))?.url ?? ''
})
afterAll(async () => {
  await app.close()
  await stores.close()
})

type Part = [name: string, value: string | Blob, fileName?: string]

async function post(target: string, parts: Part[], headers: Record<string, string> = { cookie: 'ann' }) {
  const form = new FormData()
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName)
  }
  const answer = await fetch(`${url}${target}`, { method: 'POST', body: form, headers })
  return { status: answer.status, body: await answer.json() }
}

const file = (text: string): Blob => new Blob([text])

describe('POST /api/import', () => {
  it('imports for the logged-in person, whatever the order of the fields', async () => {
    const stored = {
      status: 200,
      body: expect.objectContaining({ property: 'a', changed: true, clicks: 1200, impressions: 3450, days: 1 }),
    }
    expect(
      await post('/api/import', [
        ['property', 'a'],
        ['file', file(chart), 'chart.csv'],
      ]),
    ).toEqual(stored)
    expect(
      await post('/api/import', [
        ['file', file(`${chart}2026-07-02,1,1,100%,1\n`), 'chart.csv'],
        ['property', 'a'],
      ]),
    ).toMatchObject({ status: 200, body: { clicks: 1201 } })
    expect(
      await post('/api/import', [
        ['property', 'a'],
        ['file', file(`${chart}2026-07-02,1,1,100%,1\n`), 'other name.csv'],
      ]),
    ).toMatchObject({ status: 200, body: { changed: false } })
  })

  it("keeps 255 characters of a file's name, however long, and reads a few thousand of its headers", async () => {
    const long = `${'-Coverage'.repeat(300)}.csv`
    const named = (name: string) =>
      post('/api/import', [
        ['property', 'long'],
        ['file', file(chart), name],
      ])
    expect(await named(long)).toMatchObject({ status: 200, body: { property: 'long', changed: true } })
    const { rows } = await stores.pool.query<{ file_name: string }>(
      `SELECT file_name FROM imports JOIN properties ON properties.id = property_id WHERE properties.name = 'long'`,
    )
    expect(rows).toMatchObject([{ file_name: expect.stringMatching(/^Coverage-.{1,250}$/) }])
    expect((await named(`${'-Coverage'.repeat(8_000)}.csv`)).status).toBe(200)
  })

  it('streams progress lines if the client accepts them, ending with the result or the error', async () => {
    const lines = async (text: string): Promise<unknown[]> => {
      const form = new FormData()
      form.set('property', 'lines')
      form.append('file', file(text), 'chart.csv')
      const headers = { cookie: 'ann', accept: 'application/x-ndjson' }
      const answer = await fetch(`${url}/api/import`, { method: 'POST', body: form, headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
      return (await answer.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    }
    const [first, ...rest] = await lines(chart)
    expect(first).toEqual({ progress: { rows: 0, fraction: 0 } })
    expect(rest.at(-1)).toMatchObject({ answer: { property: 'lines', changed: true, clicks: 1200 } })
    const bad = await lines(chart.replace('3450', '1'))
    expect(bad.at(-1)).toEqual({ status: 400, problem: { message: 'There are more clicks (1200) than impressions (1)', line: 2 } })
    expect(readdirSync(path.join(stores.dataDir, 'uploads'))).toEqual([])
  })

  it('reports the invalid line', async () => {
    const problem = { message: 'There are more clicks (1200) than impressions (1)', line: 2 }
    expect(
      await post('/api/import', [
        ['property', 'b'],
        ['file', file(chart.replace('3450', '1')), 'x.csv'],
      ]),
    ).toEqual({ status: 400, body: problem })
  })

  it.each<[string, Part[], string]>([
    ['no file', [['property', 'c']], 'file'],
    ['no property', [['file', file(chart), 'x.csv']], 'property'],
    [
      'an empty property',
      [
        ['property', ' '],
        ['file', file(chart), 'x.csv'],
      ],
      'property',
    ],
    [
      'the same file twice',
      [
        ['property', 'c'],
        ['file', file(chart), 'x.csv'],
        ['file', file(chart), 'y.csv'],
      ],
      'file',
    ],
    [
      'a file in another field',
      [
        ['property', 'c'],
        ['upload', file(chart), 'x.csv'],
      ],
      'upload',
    ],
  ])('refuses a form with %s', async (_name, parts, field) => {
    expect(await post('/api/import', parts)).toMatchObject({ status: 400, body: { field } })
    expect(readdirSync(path.join(stores.dataDir, 'uploads'))).toEqual([])
  })

  it('refuses anything but a form, and strangers', async () => {
    const plain = await fetch(`${url}/api/import`, {
      method: 'POST',
      body: chart,
      headers: { 'content-type': 'text/plain', cookie: 'ann' },
    })
    expect(plain.status).toBe(400)
    expect(
      (
        await post(
          '/api/import',
          [
            ['property', 'c'],
            ['file', file(chart), 'x.csv'],
          ],
          {},
        )
      ).status,
    ).toBe(401)
  })

  it('refuses more than 4 GiB by the declared length', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/import',
      headers: { cookie: 'ann', 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(5 * 1024 ** 3) },
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { message: expect.stringContaining('The upload is larger than 4 GB'), field: 'file' },
    ])
  })
})

const authorization = async (): Promise<Record<string, string>> => ({
  authorization: `Bearer ${(await readHandOver(stores.dataDir))?.token}`,
})

describe('the hand-over', () => {
  it('is removed by the server that wrote it, and by no other', async () => {
    const dataDir = path.join(stores.dataDir, 'other')
    const [first, second] = [createHandOver(dataDir), createHandOver(dataDir)]
    const address: AddressInfo = { address: '::', family: 'IPv6', port: 1234 }
    await first.announce(address)
    await second.announce({ ...address, address: 'fe80::1' })
    await first.close()
    expect((await readHandOver(dataDir))?.url).toBe('http://[fe80::1]:1234')
    await second.close()
    expect(existsSync(path.join(dataDir, 'hand-over.json'))).toBe(false)
  })

  it("is readable only by the directory's owner", () => {
    expect(statSync(path.join(stores.dataDir, 'hand-over.json')).mode & 0o777).toBe(0o600)
  })

  it('works only with its token and from this machine', async () => {
    const parts: Part[] = [
      ['property', 'd'],
      ['user', 'ann'],
      ['file', file(chart), 'x.csv'],
    ]
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${'x'.repeat(43)}` }, { cookie: 'ann' }]) {
      expect((await post('/api/internal/import', parts, headers as Record<string, string>)).status).toBe(401)
    }
    expect(await post('/api/internal/import', parts, await authorization())).toMatchObject({ status: 200, body: { property: 'd' } })
    const elsewhere = {
      method: 'POST' as const,
      url: '/api/internal/import',
      headers: await authorization(),
      remoteAddress: '203.0.113.7',
    }
    expect((await app.inject(elsewhere)).statusCode).toBe(401)
  })

  it("reports an account that doesn't exist", async () => {
    const parts: Part[] = [
      ['property', 'd'],
      ['user', 'bob'],
      ['file', file(chart), 'x.csv'],
    ]
    expect(await post('/api/internal/import', parts, await authorization())).toEqual({
      status: 404,
      body: { message: 'There is no account "bob"', field: 'user' },
    })
  })

  it('serves the command line while the server runs', async () => {
    const written: string[] = []
    const capture = (text: unknown): boolean => written.push(String(text)) > 0
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(capture),
      vi.spyOn(process.stderr, 'write').mockImplementation(capture),
    ]
    try {
      const directory = path.join(stores.dataDir, 'with spaces')
      mkdirSync(directory)
      writeFileSync(path.join(directory, 'chart ü.csv'), chart)
      const env = { DATA_DIR: stores.dataDir, INIT_CWD: directory }
      expect(await runImport(['chart ü.csv', '--property', 'sc-domain:é.com'], env)).toBe(0)
      expect(written.join('')).toBe(
        'Imported into sc-domain:é.com:\n  1 row, 1 day from 2026-07-01 to 2026-07-01\n  1,200 clicks, 3,450 impressions\n',
      )
      written.length = 0
      writeFileSync(path.join(directory, 'bad.csv'), chart.replace('2026-07-01', '2026-07-32'))
      expect(await runImport([path.join(directory, 'bad.csv'), '--property', 'x', '--user', 'ann'], env)).toBe(1)
      expect(written.join('')).toBe('Nothing was imported. line 2: "2026-07-32" is not a real date\n')
      written.length = 0
      const shard = (country: string, clicks: number) =>
        `data_date,country,impressions,clicks,sum_top_position\n2026-07-01,${country},100,${clicks},540\n`
      writeFileSync(path.join(directory, 'site-000000000000.csv'), shard('usa', 7))
      writeFileSync(path.join(directory, 'site-000000000001.csv'), shard('deu', 5))
      const shards = ['site-000000000000.csv', 'site-000000000001.csv']
      expect(await runImport([...shards, '--property', 'bulk', '--user', 'ann'], env)).toBe(0)
      expect(written.join('')).toContain('  2 rows, 1 day from 2026-07-01 to 2026-07-01\n  12 clicks, 200 impressions\n')
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    const owner = await stores.db.selectFrom('properties').select('userId').where('name', '=', 'sc-domain:é.com').executeTakeFirst()
    expect(owner?.userId).toBe('demo')
  })
})
