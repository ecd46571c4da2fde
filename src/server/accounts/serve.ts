import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  type Access,
  type AnswerOf,
  type Argument,
  type Endpoint,
  mostBodyBytes,
  type Proof,
  statusOf,
  type Taken,
} from '../../contract/endpoint.ts'
import { ProofNeeded, Refusal } from '../common/errors.ts'
import { buildInTurn } from '../common/long-answers.ts'
import type { MinuteCounts } from '../common/minute-counts.ts'
import { wideNetworkOf } from '../platform/network-of.ts'
import { nameTenant } from '../platform/tenant.ts'
import type { Person, SessionPerson } from './person.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The signed-in person; null for a visitor. */
    sessionOf(cookies: string | undefined): Promise<SessionPerson | null>
    /** Requests from people to routes without a limit of their own. */
    ordinaryRequests: MinuteCounts
  }
  interface FastifyContextConfig {
    /** The endpoint that registered the route. */
    endpoint?: Endpoint
    /** How many requests a minute an account has here from one network, unless the route states its own limit. */
    ordinaryMax?: number
  }
}

/** A parsed request to an endpoint, with the signed-in person if required. */
type Asked<E extends Endpoint> = {
  params: Taken<E, 'params'>
  query: Taken<E, 'query'>
  body: Taken<E, 'body'>
  request: FastifyRequest
  reply: FastifyReply
} & (E['access'] extends 'session' ? { person: Person } : object)

/** A handler's result: the answer, unless it replied itself. */
type Answered<E extends Endpoint> = E['answer'] extends z.ZodType
  ? AnswerOf<E> | FastifyReply
  : E['answer'] extends string
    ? FastifyReply
    : void
type Handler<E extends Endpoint> = (asked: Asked<E>) => Answered<E> | Promise<Answered<E>>

/**
 * How often one account may ask from one network, or for visitors' endpoints, one address (its network, platform/network-of.ts): per minute
 * unless stated otherwise. Neighbors on one network thus never use up each other's, nor does somebody elsewhere with a copy of the session
 * use up its owner's. Only where each request costs others something, an account's are counted together.
 */
type Limit = { max: number; per?: '1 minute' | '1 hour'; of?: 'account'; refusal?: string }

/** Of routes that hash a password to change the ways into an account, whether or not they succeed (those that do: attempts.ts). */
export const changesWaysIn = { limit: { max: 30, per: '1 hour' } } as const satisfies { limit: Limit }

/** For every other route of people who are logged in, from each of their networks: far more than any screen asks for, in each process. */
export const ordinaryMax = 600
/** A visitors' endpoint that does more for people who are logged in has the same limit for them; its handler calls `countOrdinary`. */
const ordinary = 'ordinary'
/** For every other route that anybody may call, from each network. */
const ofVisitors: Limit = { max: 60 }
/** Why one of those has no limit. */
type Unlimited = { unlimited: string }

type Asks<Body, Params> = { needsProof(person: Person, body: Body, params: Params): boolean | Promise<boolean> }
type Guarded = { ofThisMachine(request: FastifyRequest): Promise<void> }
type Limits = { limit?: Limit | typeof ordinary | Unlimited }
type Options<E extends Endpoint> = Limits &
  (E['proof'] extends 'by-content' ? Asks<Taken<E, 'body'>, Taken<E, 'params'>> : object) &
  (E['access'] extends 'machine' ? Guarded : object)

/** Programs come in through the API (api/v1-routes.ts). */
type Served = Endpoint & { access: Exclude<Access, { key: unknown }> }

/** Registers an endpoint's route: checks who is asking, validates input and answer against the contract, and answers with its status. */
export function serve<E extends Served>(app: FastifyInstance, endpoint: E, handle: Handler<E>, ...[options]: Argument<Options<E>>): void {
  const { limit, needsProof, ofThisMachine } = (options ?? {}) as Limits & Partial<Asks<unknown, unknown> & Guarded>
  const { method, path, access, proof, params, query, body, bodyBytes = mostBodyBytes, answer } = endpoint
  const status = statusOf(endpoint)
  app.route({
    method,
    url: path,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(answer instanceof z.ZodType && { response: { [status]: answer } }),
    },
    config: { endpoint, ...limitOf(app, access, limit) },
    ...(body && { bodyLimit: bodyBytes }),
    // HEAD would create the whole file only to send none of it.
    ...(answer === 'file' && { exposeHeadRoute: false }),
    ...(ofThisMachine && { onRequest: ofThisMachine }),
    // Reads the body only for signed-in people; the handler checks again, since access may end before the body has arrived.
    ...(access === 'session' && method !== 'GET' && { onRequest: async (request) => void (await admitted(app, request)) }),
    async handler(request, reply) {
      const person = access === 'session' ? await admitted(app, request, proof, needsProof) : undefined
      const { params: givenParams, query: givenQuery, body: givenBody } = request
      const asked = { params: givenParams, query: givenQuery, body: givenBody, request, reply, person }
      // Parsed by the schemas above.
      const answered: unknown = await buildInTurn(endpoint, async () => handle(asked as unknown as Asked<E>))
      if (answer === 'file' || answer === 'page' || reply.raw.headersSent) return reply
      void reply.status(status)
      return answer === undefined ? reply.send() : answered
    },
  })
}

/** The signed-in person behind a request, with proof of identity if the endpoint requires it. @throws Refusal 401; ProofNeeded */
async function admitted(
  app: FastifyInstance,
  request: FastifyRequest,
  proof?: Proof,
  needsProof?: Asks<unknown, unknown>['needsProof'],
): Promise<Person> {
  const { headers, body, params } = request
  const session = await app.sessionOf(headers.cookie)
  if (!session) throw new Refusal(401, 'Please log in.')
  const { person, isProven } = session
  await nameTenant(person.id)
  countOrdinary(app, request, person)
  if (isProven) return person
  const asks = proof === 'always' || (proof === 'without-password' && !person.hasPassword) || (await needsProof?.(person, body, params))
  if (asks === true) throw new ProofNeeded()
  return person
}

const counted = new WeakSet<FastifyRequest>()

/** @throws Refusal 429 */
export function countOrdinary({ ordinaryRequests }: FastifyInstance, request: FastifyRequest, person: Person): void {
  const { url, method, config } = request.routeOptions
  // A request may be admitted twice, before and after its body.
  if (config.ordinaryMax === undefined || counted.has(request)) return
  counted.add(request)
  if (!ordinaryRequests.isWithin(`${String(method)} ${url} ${placeOf(person, request)}`, config.ordinaryMax))
    throw new Refusal(429, 'Too many requests. Please wait a minute and try again.')
}

/** An account on one network. */
const placeOf = ({ id }: Person, { ip }: FastifyRequest): string => `${id} ${wideNetworkOf(ip)}`

function limitOf(app: FastifyInstance, access: Served['access'], limit: Limits['limit']) {
  if (limit === ordinary || (limit === undefined && access === 'session')) return { ordinaryMax }
  const each = limit ?? (access === 'machine' ? { unlimited: 'the operator is trusted' } : ofVisitors)
  return 'unlimited' in each ? {} : { rateLimit: rateLimit(app, access, each) }
}

function rateLimit(app: FastifyInstance, access: Access, { max, per = '1 minute', of, refusal }: Limit) {
  async function ofAccount(request: FastifyRequest): Promise<string> {
    const person = await admitted(app, request)
    return of === 'account' ? person.id : placeOf(person, request)
  }
  return {
    max,
    timeWindow: per,
    keyGenerator: (request: FastifyRequest) => (access === 'session' ? ofAccount(request) : request.ip),
    ...(refusal !== undefined && { errorResponseBuilder: () => new Refusal(429, refusal) }),
  }
}
