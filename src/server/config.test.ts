import { describe, expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

describe('with nothing set', () => {
  test('it is a demo on this machine only, on port 3000', () => {
    const config = parseConfig({})
    expect(config).toMatchObject({
      http: { port: 3000, host: '127.0.0.1' },
      baseUrl: 'http://localhost:3000',
      clickhouse: { url: undefined, memoryBytes: 1024 ** 3 },
      google: { client: undefined, apiUrl: 'https://www.googleapis.com', tokenUrl: 'https://oauth2.googleapis.com/token' },
      demo: true,
      role: 'all',
      logLevel: 'info',
    })
    expect(config.dataDir).toBe(`${process.cwd()}/data`)
  })

  test('an empty variable counts as not set', () => {
    expect(parseConfig({ PORT: '', SECRET_KEY: ' ', DEMO: '' })).toEqual(parseConfig({}))
  })
})

describe('Google', () => {
  const keys = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }

  test('with keys it is the real one and no demo', () => {
    const config = parseConfig({ ...keys, EMULATOR_GOOGLE_URL: 'http://127.0.0.1:9999' })
    expect(config.demo).toBe(false)
    expect(config.google).toMatchObject({ client: { id: 'id', secret: 'secret' }, apiUrl: 'https://www.googleapis.com' })
  })

  test('in a demo it is the stand-in, with its keys', () => {
    expect(parseConfig({ EMULATOR_GOOGLE_URL: 'http://127.0.0.1:9999/' }).google).toEqual({
      client: { id: 'ranklark-local.apps.googleusercontent.example', secret: 'local-stand-in-secret' },
      apiUrl: 'http://127.0.0.1:9999',
      oauthUrl: 'http://127.0.0.1:9999/o/oauth2/v2/auth',
      tokenUrl: 'http://127.0.0.1:9999/token',
    })
  })

  test('an address of its own wins over the stand-in', () => {
    const config = parseConfig({ EMULATOR_GOOGLE_URL: 'http://127.0.0.1:9999', GOOGLE_API_URL: 'http://127.0.0.1:8888' })
    expect(config.google.apiUrl).toBe('http://127.0.0.1:8888')
  })

  test('half the keys stop the start', () => {
    expect(() => parseConfig({ GOOGLE_CLIENT_ID: 'id' })).toThrow(
      'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be given together, but only one of them is',
    )
  })
})

test.each([
  ['512MiB', 512 * 1024 ** 2],
  ['2GiB', 2 * 1024 ** 3],
  ['1.5GiB', 1.5 * 1024 ** 3],
  ['500MB', 500_000_000],
  ['1073741824', 1024 ** 3],
])('CLICKHOUSE_MEMORY %s', (text, bytes) => {
  expect(parseConfig({ CLICKHOUSE_MEMORY: text }).clickhouse.memoryBytes).toBe(bytes)
})

test('port 0 has no address before the server has its port', () => {
  expect(parseConfig({ PORT: '0' }).baseUrl).toBeUndefined()
  expect(parseConfig({ PORT: '0', BASE_URL: 'https://rank.example/' }).baseUrl).toBe('https://rank.example')
})

describe('a bad value is named in one line with what is allowed', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT=http must be a whole number from 0 to 65535 (0 picks a free port)'],
    [{ PORT: '70000' }, 'PORT=70000 must be a whole number from 0 to 65535 (0 picks a free port)'],
    [{ DEMO: 'yes' }, 'DEMO=yes must be 1, 0, true or false'],
    [{ ROLE: 'both' }, 'ROLE=both must be all, web or worker'],
    [{ BASE_URL: 'rank.example' }, 'BASE_URL=rank.example must be an http:// or https:// address'],
    [{ CLICKHOUSE_MEMORY: '1MiB' }, /^CLICKHOUSE_MEMORY=1MiB must be an amount of memory of at least 128MiB/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL=loud must be fatal, error/],
    [{ HOST: 'my host' }, 'HOST=my host must be a host name or an IP address'],
  ])('%j', (env, message) => {
    expect(() => parseConfig(env)).toThrow(message)
    expect(() => parseConfig(env)).toThrow(ConfigError)
  })

  test('without the value where it may hold a secret', () => {
    expect(() => parseConfig({ SECRET_KEY: 'short-secret' })).toThrow(/^SECRET_KEY must hold at least 32 characters$/)
    expect(() => parseConfig({ DATABASE_URL: 'mysql://me:hunter2@host' })).toThrow(/^DATABASE_URL must be a postgres:\/\/ address$/)
  })

  test('all bad ones at once', () => {
    expect(() => parseConfig({ PORT: 'x', ROLE: 'y' })).toThrow(/PORT=x .*; ROLE=y /)
  })
})
