import { Readable } from 'node:stream'
import { type ApiError } from '../../../src/contract/common.ts'
import { ProofNeeded, Refusal } from '../../../src/server/common/errors.ts'
import { type AnswerOf, type AskedRoute, answerSchemas } from './schemas.ts'

/** The browser's request: `params` are the `:names` of the route. */
export type Asked = { route: AskedRoute; params: Record<string, string>; query: URLSearchParams; body: unknown }

/** The response. `cut`: the connection ends without one. */
export type Reply = { status: number; body: string | Buffer | Readable; type: string; headers?: Record<string, string> } | 'cut'

type Answerer = (asked: Asked) => Reply | Promise<Reply>

/** What a screen gets, and what it requested: the API's other side for one test. */
export type Desk = {
  /** Answers a route with what the contract allows; `value` may depend on the request, and refuse it by throwing a `Refusal`. */
  answer<R extends AskedRoute>(route: R, value: AnswerOf<R> | ((asked: Asked) => AnswerOf<R> | Promise<AnswerOf<R>>)): void
  /** Refuses like the server: with a status and a message for people. */
  refuse(route: AskedRoute, status: number, problem?: ApiError): void
  /** Answers with anything, even what the contract doesn't know: text, half an object, an HTML page, or a stream over time. */
  say(route: AskedRoute, body: unknown, options?: { status?: number; type?: string }): void
  /** Ends the connection without a response. */
  cut(route: AskedRoute): void
  /** Holds requests, as on a slow line, until `release` is called; their responses are decided then. */
  hold(route: AskedRoute): { release(): void }
  /** Requests to a route so far, oldest first. */
  asked(route: AskedRoute): Asked[]
  /** Answers a request. @throws if the test gave no answer for it */
  reply(method: string, url: URL, body: unknown): Promise<Reply>
}

/** @param usual default answers */
export function createDesk(usual: Partial<{ [R in AskedRoute]: AnswerOf<R> }>): Desk {
  const answerers = new Map<AskedRoute, Answerer>()
  const held = new Map<AskedRoute, Promise<void>>()
  const log: Asked[] = []
  const desk: Desk = {
    answer(route, value) {
      const schema = answerSchemas[route]
      // Constants are checked immediately, so that a mistake shows where it is made.
      if (typeof value !== 'function') schema.parse(value)
      answerers.set(route, async (asked) => {
        let body: unknown = value
        try {
          if (typeof value === 'function') body = await value(asked)
        } catch (error) {
          if (error instanceof ProofNeeded) return json(error.status, { message: error.message, code: error.code })
          if (error instanceof Refusal) return json(error.status, { message: error.message, field: error.field })
          throw error
        }
        schema.parse(body)
        return body === null && isBare(route) ? { status: 204, body: '', type: 'text/plain' } : json(200, body)
      })
    },
    refuse(route, status, problem = { message: 'Something went wrong.' }) {
      answerers.set(route, () => json(status, problem))
    },
    say(route, body, { status = 200, type = 'application/json' } = {}) {
      answerers.set(route, () => ({
        status,
        type,
        body: typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body),
      }))
    },
    cut(route) {
      answerers.set(route, () => 'cut')
    },
    hold(route) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(route, promise)
      return {
        release() {
          if (held.get(route) === promise) held.delete(route)
          resolve()
        },
      }
    },
    asked: (route) => log.filter((asked) => asked.route === route),
    async reply(method, url, body) {
      const found = match(method, url.pathname)
      if (found === undefined) throw new Error(`No route of the contract: ${method} ${url.pathname}`)
      const asked: Asked = { ...found, query: url.searchParams, body }
      log.push(asked)
      await held.get(found.route)
      const answerer = answerers.get(found.route)
      if (answerer === undefined) throw new Error(`The test gives no answer to ${method} ${url.pathname}${url.search}`)
      return answerer(asked)
    },
  }
  for (const [route, value] of Object.entries(usual)) desk.answer(route as AskedRoute, value as never)
  return desk
}

const json = (status: number, body: unknown): Reply => ({ status, body: JSON.stringify(body), type: 'application/json; charset=utf-8' })

/** Whether the route responds without a body. */
const isBare = (route: AskedRoute): boolean => answerSchemas[route].type === 'null'

/** Exact paths before those with parameters: `/api/alerts/count` isn't an alert. */
const patterns = (Object.keys(answerSchemas) as AskedRoute[])
  .map((route) => {
    const [method = '', path = ''] = route.split(' ')
    return { route, method, pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`) }
  })
  .toSorted((a, b) => Number(a.route.includes(':')) - Number(b.route.includes(':')))

function match(method: string, path: string): Pick<Asked, 'route' | 'params'> | undefined {
  for (const { route, method: wanted, pattern } of patterns) {
    const found = wanted === method ? pattern.exec(path) : null
    if (!found) continue
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { route, params: Object.fromEntries(params) }
  }
  return undefined
}
