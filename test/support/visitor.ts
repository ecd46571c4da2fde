import { gatherFrom, gatherSecret } from './gathered-log.ts'

export type Answer = { status: number; body: unknown; headers: Headers }
export type Extra = { headers?: Record<string, string>; rawBody?: string }

/** A browser's side of the API: keeps cookies, sends JSON, returns status and body. Doesn't follow redirects. */
export type Visitor = {
  get(path: string, extra?: Extra): Promise<Answer>
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, extra?: Extra): Promise<Answer>
  cookies: Map<string, string>
}

export function createVisitor(url: () => string): Visitor {
  const cookies = new Map<string, string>()
  async function call(method: string, target: string, body?: unknown, extra: Extra = {}): Promise<Answer> {
    gatherFrom(body)
    const text = extra.rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(new URL(target, url()), {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra.headers,
      },
      ...(text === undefined ? {} : { body: text }),
    })
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie)
    const answer = parse(await response.text())
    gatherFrom(answer)
    return { status: response.status, body: answer, headers: response.headers }
  }
  return { cookies, get: (target, extra) => call('GET', target, undefined, extra), send: call }
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';')
  const at = pair.indexOf('=')
  const gone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute)) || pair.slice(at + 1) === ''
  if (gone) cookies.delete(pair.slice(0, at))
  else {
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
    gatherSecret(pair.slice(at + 1))
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
