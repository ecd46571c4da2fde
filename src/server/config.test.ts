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

  test('with keys it is the real one, and not a demo', () => {
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
      statusUrl: 'http://127.0.0.1:9999',
    })
  })

  test('ranking incidents come from its dashboard, from another address, or not at all', () => {
    expect(parseConfig(keys).google.statusUrl).toBe('https://status.search.google.com')
    expect(parseConfig({ ...keys, GOOGLE_STATUS_URL: 'https://status.example/' }).google.statusUrl).toBe('https://status.example')
    expect(parseConfig({ ...keys, GOOGLE_STATUS_URL: 'off' }).google.statusUrl).toBeNull()
    expect(() => parseConfig({ GOOGLE_STATUS_URL: 'no' })).toThrow('GOOGLE_STATUS_URL=no must be an http:// or https:// address, or off')
  })

  test('an explicit URL takes precedence over the stand-in', () => {
    const config = parseConfig({ EMULATOR_GOOGLE_URL: 'http://127.0.0.1:9999', GOOGLE_API_URL: 'http://127.0.0.1:8888' })
    expect(config.google.apiUrl).toBe('http://127.0.0.1:8888')
  })

  test('only one of the keys stops the start', () => {
    expect(() => parseConfig({ GOOGLE_CLIENT_ID: 'id' })).toThrow(
      'Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET together: one of them is missing',
    )
  })
})

describe('Stripe', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

  test('without keys there is no card payment', () => {
    expect(parseConfig({}).stripe).toBeUndefined()
    expect(parseConfig({ DEMO: '0', EMULATOR_STRIPE_URL: 'http://127.0.0.1:7777' }).stripe).toBeUndefined()
  })

  test('with keys it is the real one, even along with the stand-in', () => {
    expect(parseConfig({ ...keys, EMULATOR_STRIPE_URL: 'http://127.0.0.1:7777' }).stripe).toEqual({
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      webhookSecret: 'whsec_1',
      apiUrl: 'https://api.stripe.com',
      scriptUrl: null,
    })
  })

  test('an explicit URL is used instead', () => {
    expect(parseConfig({ ...keys, STRIPE_API_URL: 'http://127.0.0.1:12111/' }).stripe?.apiUrl).toBe('http://127.0.0.1:12111')
  })

  test('in a demo it is the stand-in, with its keys and its script', () => {
    expect(parseConfig({ EMULATOR_STRIPE_URL: 'http://127.0.0.1:7777/' }).stripe).toEqual({
      secretKey: 'sk_test_ranklark_local_stand_in',
      publishableKey: 'pk_test_ranklark_local_stand_in',
      webhookSecret: 'whsec_ranklark_local_stand_in',
      apiUrl: 'http://127.0.0.1:7777',
      scriptUrl: 'http://127.0.0.1:7777/v3/stripe.js',
    })
  })

  test.each(Object.keys(keys))('having only one, without %s, stops the start, and no key is repeated', (missing) => {
    const start = () => parseConfig({ ...keys, [missing]: '' })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(/^STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together: some are missing$/)
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

describe('mail', () => {
  const real = { SMTP_URL: 'smtps://me:secret@mail.example.com', MAIL_FROM: 'Ranklark <no-reply@example.com>' }
  const standIn = { EMULATOR_SMTP_URL: 'smtp://127.0.0.1:2525' }

  test('nothing set: none is sent', () => {
    expect(parseConfig({}).mail).toBeUndefined()
  })

  test('in a demo it goes to the stand-in, whatever else is set', () => {
    expect(parseConfig(standIn).mail).toEqual({ smtpUrl: 'smtp://127.0.0.1:2525', from: 'Ranklark <no-reply@ranklark.example>' })
    expect(parseConfig({ ...real, ...standIn }).mail?.smtpUrl).toBe('smtp://127.0.0.1:2525')
  })

  test('otherwise to SMTP_URL, never to the stand-in', () => {
    expect(parseConfig({ ...real, ...standIn, DEMO: '0' }).mail).toEqual({ smtpUrl: real.SMTP_URL, from: real.MAIL_FROM })
    expect(parseConfig({ ...standIn, DEMO: '0' }).mail).toBeUndefined()
  })

  test('a server without TLS gets mail only if that is allowed explicitly', () => {
    expect(parseConfig({ ...real, DEMO: '0', SMTP_TLS: 'optional' }).mail).toEqual({
      smtpUrl: real.SMTP_URL,
      from: real.MAIL_FROM,
      mayBeRead: true,
    })
    expect(() => parseConfig({ ...real, SMTP_TLS: 'off' })).toThrow('SMTP_TLS=off must be required or optional')
  })

  test('SMTP_URL without a sender stops the start', () => {
    expect(() => parseConfig({ SMTP_URL: real.SMTP_URL })).toThrow("SMTP_URL also needs MAIL_FROM: the sender's address")
  })

  test.each(['no-reply@example.com', 'Ranklark <no-reply@example.com>', '<no-reply@localhost>'])('MAIL_FROM may be %s', (from) => {
    expect(parseConfig({ ...real, DEMO: '0', MAIL_FROM: from }).mail?.from).toBe(from)
  })

  test.each(['no-reply', 'a@example.com, b@example.com', 'Us <a@example.com> b', 'Us <a@example.com>\r\nBcc: b@example.com', '"Us" <a@b>'])(
    'MAIL_FROM may not be %j',
    (from) => {
      expect(() => parseConfig({ ...real, MAIL_FROM: from })).toThrow(/^MAIL_FROM=.* must be an email address/s)
    },
  )

  test('SMTP_URL is never repeated: it contains a password', () => {
    expect(() => parseConfig({ ...real, SMTP_URL: 'http://me:hunter2@host' })).toThrow(
      /^SMTP_URL must be an smtp:\/\/ or smtps:\/\/ address$/,
    )
  })
})

test('how many emails per day go to people who have not agreed to any', () => {
  const asks = (env: Record<string, string>) => parseConfig({ DEMO: '0', ...env }).asksADay
  expect(asks({})).toBe(5000)
  expect(asks({ ASKS_A_DAY: '50' })).toBe(50)
  expect(() => asks({ ASKS_A_DAY: '0' })).toThrow('ASKS_A_DAY=0 must be a whole number of emails, at least 1')
})

test('how many text messages are sent per day, and to which countries', () => {
  const twilio = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_FROM: '+15005550006', DEMO: '0' }
  const sms = (env: Record<string, string>) => parseConfig({ ...twilio, ...env }).sms
  expect(sms({})).toMatchObject({ aDay: 1000, countries: [] })
  expect(sms({ SMS_A_DAY: '50', SMS_COUNTRIES: '+1, 44,4470' })).toMatchObject({ aDay: 50, countries: ['1', '44', '4470'] })
  expect(() => sms({ SMS_A_DAY: '0' })).toThrow('SMS_A_DAY=0 must be a whole number of text messages, at least 1')
  expect(() => sms({ SMS_COUNTRIES: 'US' })).toThrow('must be country codes separated by commas, such as 1,44,49')
})

describe('many processes', () => {
  const shared = {
    DATABASE_URL: 'postgres://ranklark@db.example/ranklark',
    CLICKHOUSE_URL: 'http://facts.example:8123',
    SECRET_KEY: 'a-secret-key-of-at-least-32-characters',
    BASE_URL: 'https://rank.example',
    DEMO: '0',
  }

  test.each(['web', 'worker'])('ROLE=%s needs everything to be shared', (ROLE) => {
    expect(parseConfig({ ...shared, ROLE }).role).toBe(ROLE)
    for (const name of Object.keys(shared).filter((each) => each !== 'DEMO')) {
      const start = () => parseConfig({ ...shared, ROLE, [name]: '' })
      expect(start).toThrow(ConfigError)
      expect(start).toThrow(`ROLE=${ROLE} needs ${name}: `)
    }
    expect(() => parseConfig({ ROLE })).toThrow(`ROLE=${ROLE} needs DATABASE_URL, CLICKHOUSE_URL, SECRET_KEY, BASE_URL: `)
  })

  test('a single process makes do with its own', () => {
    expect(parseConfig({ ROLE: 'all' }).role).toBe('all')
  })

  test('a ClickHouse cluster needs the URL of one of its servers', () => {
    const { CLICKHOUSE_URL } = shared
    expect(parseConfig({ CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: 'facts' }).clickhouse).toMatchObject({ url: CLICKHOUSE_URL, cluster: 'facts' })
    expect(() => parseConfig({ CLICKHOUSE_CLUSTER: 'facts' })).toThrow('CLICKHOUSE_CLUSTER also needs CLICKHOUSE_URL')
    expect(() => parseConfig({ CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: "facts' SYNC" })).toThrow(/^CLICKHOUSE_CLUSTER=.* must be the name/)
  })

  test('only a web process waits for its proxy before it ends, unless specified otherwise', () => {
    expect(parseConfig({}).drainSeconds).toBe(0)
    expect(parseConfig({ ...shared, ROLE: 'worker' }).drainSeconds).toBe(0)
    expect(parseConfig({ ...shared, ROLE: 'web' }).drainSeconds).toBe(5)
    expect(parseConfig({ ...shared, ROLE: 'web', DRAIN_SECONDS: '0' }).drainSeconds).toBe(0)
    expect(parseConfig({ DRAIN_SECONDS: '12' }).drainSeconds).toBe(12)
  })

  test('who is trusted to say where a request comes from: this machine, or the named proxies', () => {
    expect(parseConfig({}).http.trustProxy).toEqual(['loopback'])
    expect(parseConfig({ TRUST_PROXY: '10.0.0.5, 172.16.0.0/12,fd00::/8,LOOPBACK' }).http.trustProxy).toEqual([
      '10.0.0.5',
      '172.16.0.0/12',
      'fd00::/8',
      'loopback',
    ])
    for (const TRUST_PROXY of ['proxy', '10.0.0.5/33', '10.0.0.0/0', '10.0.0.0/', '10.0.0.0/8/8', 'true', '1', ','])
      expect(() => parseConfig({ TRUST_PROXY })).toThrow(/^TRUST_PROXY=.* must be addresses or networks of proxies/)
  })
})

describe('a demo, whose password everybody knows,', () => {
  test.each([
    [
      { BASE_URL: 'https://rank.example' },
      /^Without GOOGLE_CLIENT_ID this is a demo\. .* BASE_URL=https:\/\/rank.example lets others reach it/,
    ],
    [{ HOST: '0.0.0.0' }, /^Without GOOGLE_CLIENT_ID this is a demo\. .* HOST=0.0.0.0 lets others reach it/],
    [
      { DEMO: '1', HOST: '::' },
      /^DEMO is on, so this is a demo\. .* HOST=:: lets others reach it\. Set Google's keys, or DEMO=0 .* set DEMO=public/,
    ],
    [{ DEMO: '1', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', HOST: '127.0.0.1.evil.example' }, /^DEMO is on/],
  ])("doesn't start where others can reach it: %j", (env, message) => {
    expect(() => parseConfig(env)).toThrow(ConfigError)
    expect(() => parseConfig(env)).toThrow(message)
  })

  test('starts there if that is intended', () => {
    expect(parseConfig({ DEMO: 'public', HOST: '0.0.0.0', BASE_URL: 'https://rank.example' }).demo).toBe(true)
    expect(parseConfig({ DEMO: '0', HOST: '0.0.0.0', BASE_URL: 'https://rank.example' }).demo).toBe(false)
    for (const HOST of ['localhost', '127.0.0.1', '::1']) expect(parseConfig({ HOST, BASE_URL: 'http://localhost:3000' }).demo).toBe(true)
  })
})

test('port 0 has no URL before the server has its port', () => {
  expect(parseConfig({ PORT: '0' }).baseUrl).toBeUndefined()
  expect(parseConfig({ PORT: '0', BASE_URL: 'http://rank.example/' }).baseUrl).toBe('http://rank.example')
})

describe('an invalid value is reported in one line with what is allowed', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT=http must be a whole number from 0 to 65535 (0 picks a free port)'],
    [{ PORT: '70000' }, 'PORT=70000 must be a whole number from 0 to 65535 (0 picks a free port)'],
    [{ DEMO: 'yes' }, 'DEMO=yes must be 1, 0, true, false or public'],
    [{ ROLE: 'both' }, 'ROLE=both must be all, web or worker'],
    [{ BASE_URL: 'rank.example' }, 'BASE_URL=rank.example must be an http:// or https:// address'],
    [{ CLICKHOUSE_MEMORY: '1MiB' }, /^CLICKHOUSE_MEMORY=1MiB must be an amount of memory of at least 128MiB/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL=loud must be fatal, error/],
    [{ STRIPE_API_URL: 'stripe' }, 'STRIPE_API_URL=stripe must be an http:// or https:// address'],
    [{ HOST: 'my host' }, 'HOST=my host must be a host name or an IP address'],
  ])('%j', (env, message) => {
    expect(() => parseConfig(env)).toThrow(message)
    expect(() => parseConfig(env)).toThrow(ConfigError)
  })

  test('without the value if it may contain a secret', () => {
    expect(() => parseConfig({ SECRET_KEY: 'short-secret' })).toThrow(/^SECRET_KEY must have at least 32 characters$/)
    expect(() => parseConfig({ DATABASE_URL: 'mysql://me:hunter2@host' })).toThrow(/^DATABASE_URL must be a postgres:\/\/ address$/)
  })

  test('all invalid ones at once', () => {
    expect(() => parseConfig({ PORT: 'x', ROLE: 'y' })).toThrow(/PORT=x .*; ROLE=y /)
  })
})

test('nothing is sold without keys, BILLING makes it explicit, and contradictions stop the start', () => {
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
  const offer = (env: Record<string, string>) => parseConfig({ ...google, ...env }).offer
  expect(offer({})).toEqual({ billing: 'off', sitesPerPerson: null })
  expect(offer({ BILLING: 'off', SITES_PER_PERSON: '40' })).toEqual({ billing: 'off', sitesPerPerson: 40 })
  expect(offer(stripe)).toEqual({ billing: 'stripe', sitesPerPerson: null })
  expect(offer({ ...stripe, BILLING: 'off' }).billing).toBe('off')
  // The demo keeps payment, through the stand-in.
  expect(parseConfig({ EMULATOR_STRIPE_URL: 'http://127.0.0.1:9999' }).offer.billing).toBe('stripe')
  expect(() => offer({ BILLING: 'stripe' })).toThrow(
    'BILLING=stripe also needs STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET',
  )
  expect(() => offer({ BILLING: 'free' })).toThrow('BILLING=free must be stripe or off')
  expect(() => offer({ ...stripe, SITES_PER_PERSON: '3' })).toThrow('SITES_PER_PERSON=3 only applies with BILLING=off')
  expect(() => offer({ SITES_PER_PERSON: '0' })).toThrow('SITES_PER_PERSON=0 must be a whole number of sites, at least 1')
})
