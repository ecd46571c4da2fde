import { onTestFinished } from 'vitest'
import { type SlackOptions, startSlack } from './server.ts'

export const HOOK = 'T0RANK/B0LARK/abcDEF123'

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

interface Message {
  readonly id: number
  readonly hook: string
  readonly channel: string
  readonly text: string
  readonly shown: { text: string; links: { url: string; text: string }[]; mentions: string[] }
}

/** A stand-in with a client that talks to it over HTTP; it ends with the test. */
export async function openBench(options: SlackOptions = {}) {
  const slack = await startSlack(options)
  onTestFinished(() => slack.close())

  async function call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(slack.url + path, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return {
    slack,
    call,
    post: (message: unknown, hook = HOOK) =>
      call(`/services/${hook}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      }),
    messages: async (query = '') => (JSON.parse((await call(`/messages${query}`)).text) as { messages: Message[] }).messages,
    control: async (method: string, name: string, body?: unknown) => {
      const { text } = await call(`/_control/${name}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      return JSON.parse(text) as {
        error?: string
        total: number
        last: { status: number; problem: string | null; at: string; headers: object }[]
      }
    },
  }
}
