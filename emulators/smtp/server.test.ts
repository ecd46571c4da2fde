import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type SmtpStandIn, startSmtp } from './server.ts'

const MAIL = [
  'From: Ranklark <us@rank.example>',
  'To: Ann <ann@people.example>',
  'Subject: =?utf-8?q?Caf=C3=A9?= & more',
  'Message-ID: <one@rank.example>',
  'X-Kind: greeting',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Open https://rank.example/?a=1&b=2 now',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <script>alert(1)</script></p>',
  '--b--',
].join('\r\n')

let running: SmtpStandIn[] = []
afterEach(async () => {
  await Promise.all(running.map((each) => each.close()))
  running = []
})

async function start(options: Parameters<typeof startSmtp>[0] = {}): Promise<SmtpStandIn> {
  const standIn = await startSmtp(options)
  running.push(standIn)
  return standIn
}

/** Sends the SMTP server line by line and returns its replies; the last is the error that broke the connection. */
async function talk(smtpUrl: string, lines: readonly string[]): Promise<string[]> {
  const socket: Socket = connect(Number(new URL(smtpUrl).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const replies: string[] = []
  socket.on('error', (error: NodeJS.ErrnoException) => replies.push(error.code ?? 'error'))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const waiting = [...lines]
  createInterface({ input: socket })
    .on('error', () => {})
    .on('line', (line) => {
      if (/^\d{3}-/.test(line)) return
      replies.push(line)
      const next = waiting.shift()
      if (next === undefined) socket.end()
      else socket.write(`${next}\r\n`)
    })
  await closed
  return replies
}

const envelope = (to: string) => ['EHLO test', 'MAIL FROM:<us@rank.example>', `RCPT TO:<${to}>`]
const deliver = (standIn: SmtpStandIn, to = 'ann@people.example', mail = MAIL): Promise<string[]> =>
  talk(standIn.smtpUrl, [...envelope(to), 'DATA', `${mail}\r\n.`, 'QUIT'])

const codes = (replies: readonly string[]): string[] => replies.map((reply) => reply.slice(0, 3))

async function get(standIn: SmtpStandIn, address: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(standIn.url + address)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

type Answer = { messages: { id: number; subject: string; to: string[] }[]; attempts: { outcome: string; messageId: string | null }[] }

async function control(standIn: SmtpStandIn, method: string, name: string, body?: object): Promise<Answer & { error?: string }> {
  const response = await fetch(`${standIn.url}/_control/${name}`, { method, ...(body && { body: JSON.stringify(body) }) })
  return (await response.json()) as Answer
}

const subjects = async (standIn: SmtpStandIn, query = ''): Promise<string[]> =>
  (JSON.parse((await get(standIn, `/messages${query}`)).text) as Answer).messages.map((each) => each.subject)

test('accepts an email and reports it as JSON', async () => {
  const standIn = await start()
  expect(codes(await deliver(standIn))).toEqual(['220', '250', '250', '250', '354', '250', '221'])
  const { messages } = JSON.parse((await get(standIn, '/messages')).text) as Answer
  const { text } = await get(standIn, `/messages/${messages[0]?.id}`)
  expect(JSON.parse(text)).toMatchObject({
    from: 'us@rank.example',
    to: ['ann@people.example'],
    subject: 'Café & more',
    messageId: '<one@rank.example>',
    text: expect.stringContaining('Open https://rank.example/?a=1&b=2 now'),
    html: expect.stringContaining('<p>Hello'),
    headers: expect.arrayContaining([{ key: 'x-kind', value: 'greeting' }]),
  })
  expect((await get(standIn, '/messages/99')).status).toBe(404)
})

test('newest first, filtered by recipient regardless of case', async () => {
  const standIn = await start()
  await deliver(standIn, 'ann@people.example', 'Subject: first\r\n\r\n1')
  await deliver(standIn, 'Ben@people.example', 'Subject: second\r\n\r\n2')
  expect(await subjects(standIn)).toEqual(['second', 'first'])
  expect(await subjects(standIn, '?to=ben@people.example')).toEqual(['second'])
  expect(await subjects(standIn, '?to=people.example')).toEqual([])
})

test('the page lists emails; one of them shows its parts and headers, and runs nothing in it', async () => {
  const standIn = await start()
  expect((await get(standIn, '/')).text).toContain('No mail has arrived yet.')
  await deliver(standIn)
  expect((await get(standIn, '/')).text).toContain('<a href="/mail/1">Café &amp; more</a>')
  const mail = await get(standIn, '/mail/1')
  expect(mail.text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mail/1/html"')
  expect(mail.text).toContain('<a href="https://rank.example/?a=1&amp;b=2" target="_blank" rel="noreferrer">')
  expect(mail.text).toContain('x-kind')
  expect(mail.text).not.toContain('<script>')
  const part = await get(standIn, '/mail/1/html')
  expect(part.text).toContain('<p>Hello')
  expect(part.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
  expect(part.headers.get('content-security-policy')).not.toContain('allow-scripts')
})

test.each([
  ['recipient550', ['220', '250', '250', '550']],
  ['recipient451', ['220', '250', '250', '451']],
  ['message554', ['220', '250', '250', '250', '354', '554']],
  ['message451', ['220', '250', '250', '250', '354', '451']],
  ['sender550', ['220', '250', '550']],
  ['busy421', ['421']],
  ['reset', ['220', '250', '250', '250', '354', 'ECO']],
])('%s', async (error, expected) => {
  const standIn = await start()
  await control(standIn, 'POST', 'fail', { error })
  expect(codes(await deliver(standIn)).slice(0, expected.length)).toEqual(expected)
  expect(await subjects(standIn)).toEqual([])
  expect((await control(standIn, 'GET', 'attempts')).attempts.map((each) => each.outcome)).toEqual([error])
  await deliver(standIn)
  expect(await subjects(standIn)).toHaveLength(1)
})

test('a fault for one recipient, after some, for a number of times', { tags: ['full'] }, async () => {
  const standIn = await start()
  await control(standIn, 'POST', 'fail', { error: 'message451', to: 'ann@people.example', after: 1, times: 2 })
  for (const to of ['ann', 'ben', 'ann', 'ann', 'ann']) await deliver(standIn, `${to}@people.example`)
  const { attempts } = await control(standIn, 'GET', 'attempts')
  expect(attempts.map((each) => each.outcome)).toEqual(['accepted', 'accepted', 'message451', 'message451', 'accepted'])
  expect(attempts[2]?.messageId).toBe('<one@rank.example>')
})

test('it can stop listening and listen again on the same port', async () => {
  const standIn = await start()
  await control(standIn, 'PUT', 'listening', { listening: false })
  expect(await deliver(standIn)).toEqual(['ECONNREFUSED'])
  await control(standIn, 'PUT', 'listening', { listening: true })
  await deliver(standIn)
  expect(await subjects(standIn)).toHaveLength(1)
})

test('a delay postpones the greeting', { tags: ['full'] }, async () => {
  const standIn = await start()
  await control(standIn, 'PUT', 'delay', { ms: 300 })
  const before = performance.now()
  await deliver(standIn)
  expect(performance.now() - before).toBeGreaterThan(290)
  expect(await subjects(standIn)).toHaveLength(1)
})

test('clearing, and misuse of the control API', async () => {
  const standIn = await start()
  await deliver(standIn)
  await control(standIn, 'DELETE', 'messages')
  expect(await subjects(standIn)).toEqual([])
  expect(await control(standIn, 'POST', 'fail', { error: 'tired' })).toMatchObject({ error: expect.stringContaining('error') })
  expect(await control(standIn, 'POST', 'nothing')).toMatchObject({ error: 'no POST nothing' })
})

test('a restart keeps the last 500 emails, readable only by their owner', { tags: ['full'] }, async () => {
  const stateDir = path.join(mkdtempSync(path.join(tmpdir(), 'smtp-')), 'state')
  onTestFinished(() => rmSync(path.dirname(stateDir), { recursive: true }))
  const first = await startSmtp({ stateDir })
  const many = Array.from({ length: 502 }, (_, n) => [...envelope('ann@people.example').slice(1), 'DATA', `Subject: mail ${n}\r\n\r\n.`])
  await talk(first.smtpUrl, ['EHLO test', ...many.flat(), 'QUIT'])
  await first.close()
  expect(statSync(path.join(stateDir, 'smtp.json')).mode & 0o077).toBe(0)

  const second = await start({ stateDir })
  const kept = await subjects(second)
  expect(kept).toHaveLength(500)
  expect([kept.at(0), kept.at(-1)]).toEqual(['mail 501', 'mail 2'])
  await deliver(second)
  expect((await get(second, '/messages/503')).status).toBe(200)
})

test('a taken port is refused', async () => {
  const standIn = await start()
  await expect(startSmtp({ port: Number(new URL(standIn.url).port) })).rejects.toThrow(/EADDRINUSE/)
  await expect(startSmtp({ smtpPort: Number(new URL(standIn.smtpUrl).port) })).rejects.toThrow(/EADDRINUSE/)
})

test('closing breaks open connections', async () => {
  const standIn = await startSmtp()
  const open = connect(Number(new URL(standIn.smtpUrl).port), '127.0.0.1')
  open.on('error', () => {})
  await new Promise((resolve) => open.once('data', resolve))
  const closed = new Promise((resolve) => open.once('close', resolve))
  await standIn.close()
  await expect(closed).resolves.toBeDefined()
})

test("attachments can be downloaded, and an email's pictures are shown in it", async () => {
  const standIn = await start()
  const withFiles = [
    'From: us@rank.example',
    'To: ann@people.example',
    'Subject: Report',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<img src="cid:logo"><img src="cid:other">',
    '--b',
    'Content-Type: image/png',
    'Content-Disposition: inline; filename=logo.png',
    'Content-ID: <logo>',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw==',
    '--b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename=report.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0=',
    '--b--',
  ].join('\r\n')
  await deliver(standIn, 'ann@people.example', withFiles)
  const pdf = await get(standIn, '/messages/1/attachments/2')
  expect([pdf.text, pdf.headers.get('content-type')]).toEqual(['%PDF-', 'application/pdf'])
  expect(pdf.headers.get('content-disposition')).toContain('report.pdf')
  expect((await get(standIn, '/messages/1/attachments/3')).status).toBe(404)
  expect((await get(standIn, '/mail/1/html')).text.trim()).toBe('<img src="data:image/png;base64,iVBORw=="><img src="cid:other">')
  expect((await get(standIn, '/mail/1')).text).toContain('href="/messages/1/attachments/2"')
})
