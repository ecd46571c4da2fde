import { onTestFinished } from 'vitest'
import type { SmsOptions } from './options.ts'
import { startSms } from './server.ts'

export const TO = '+14155550100'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // A test that reads a wrong field fails anyway.
  readonly body: Record<string, unknown>
}

interface Control {
  readonly error?: string
  readonly total: number
  readonly last: { status: number; problem: string | null }[]
  readonly callbacks: { url: string; status: number | null; params: Record<string, string> }[]
}

/** A stand-in with a client that talks to it over HTTP; it ends with the test. Messages wait until released. */
export async function openBench(options: SmsOptions = {}) {
  const sms = await startSms(options)
  onTestFinished(() => sms.close())
  const account = `/2010-04-01/Accounts/${sms.accountSid}`
  const login = (password = sms.authToken) => ({ authorization: `Basic ${btoa(`${sms.accountSid}:${password}`)}` })

  async function call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(sms.url + path, init)
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: response.status, headers: response.headers, text, body: json ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }
  const control = async (method: string, name: string, body?: unknown) =>
    (await call(`/_control/${name}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).body as unknown as Control
  await control('PUT', 'delivery', { stepMs: null })
  return {
    sms,
    account,
    login,
    call,
    control,
    get: (path: string) => call(account + path, { headers: login() }),
    /** Sends from the account's number to TO unless the form says otherwise; empty fields are omitted. */
    send: (form: Record<string, string> = {}, init: RequestInit = {}) => {
      const fields = Object.entries({ To: TO, From: sms.number, Body: 'Clicks fell', ...form }).filter(([, value]) => value !== '')
      return call(`${account}/Messages.json`, { method: 'POST', headers: login(), body: new URLSearchParams(fields), ...init })
    },
  }
}
