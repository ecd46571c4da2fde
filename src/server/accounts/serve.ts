import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Access, type AnswerOf, type Argument, type Endpoint, type Proof, statusOf, type Taken } from '../../contract/endpoint.ts'
import { ProofNeeded, Refusal } from '../common/errors.ts'
import { nameTenant } from '../platform/tenant.ts'
import type { Person, SessionPerson } from './person.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Who is signed in; null for a visitor. */
    sessionOf(cookies: string | undefined): Promise<SessionPerson | null>
  }
  interface FastifyContextConfig {
    /** What the route was registered by. */
    endpoint?: Endpoint
  }
}

/** A request to an endpoint, parsed, and whoever is signed in where that is asked for. */
type Asked<E extends Endpoint> = {
  params: Taken<E, 'params'>
  query: Taken<E, 'query'>
  body: Taken<E, 'body'>
  request: FastifyRequest
  reply: FastifyReply
} & (E['access'] extends 'session' ? { person: Person } : object)

/** What a handler gives back: the answer, unless it has sent one through the reply. */
type Answered<E extends Endpoint> = E['answer'] extends z.ZodType
  ? AnswerOf<E> | FastifyReply
  : E['answer'] extends string
    ? FastifyReply
    : void
type Handler<E extends Endpoint> = (asked: Asked<E>) => Answered<E> | Promise<Answered<E>>

/** How often one address, or one account, may ask: within a minute, unless it says otherwise. */
type Limit = { max: number; per?: '1 minute' | '1 hour'; of?: 'address' | 'account'; refusal?: string }

type Asks<Body> = { needsProof(person: Person, body: Body): boolean }
type Guarded = { ofThisMachine(request: FastifyRequest): Promise<void> }
type Options<E extends Endpoint> = { limit?: Limit } & (E['proof'] extends 'by-content' ? Asks<Taken<E, 'body'>> : object) &
  (E['access'] extends 'machine' ? Guarded : object)

/** Programs come through the door of the API (api/v1-routes.ts). */
type Served = Endpoint & { access: Exclude<Access, { key: unknown }> }

/** Registers the route of an endpoint: it asks who it is, holds input and answer to the contract, and answers with its status. */
export function serve<E extends Served>(app: FastifyInstance, endpoint: E, handle: Handler<E>, ...[options]: Argument<Options<E>>): void {
  const { limit, needsProof, ofThisMachine } = (options ?? {}) as { limit?: Limit } & Partial<Asks<unknown> & Guarded>
  const { method, path, access, proof, params, query, body, answer } = endpoint
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
    config: { endpoint, ...(limit && { rateLimit: rateLimit(app, limit) }) },
    // HEAD would make the whole file to send none of it.
    ...(answer === 'file' && { exposeHeadRoute: false }),
    ...(ofThisMachine && { onRequest: ofThisMachine }),
    async handler(request, reply) {
      const person = access === 'session' ? await admitted(app, request, proof, needsProof) : undefined
      const { params: givenParams, query: givenQuery, body: givenBody } = request
      const asked = { params: givenParams, query: givenQuery, body: givenBody, request, reply, person }
      // Parsed by the schemas above.
      const answered: unknown = await handle(asked as unknown as Asked<E>)
      if (answer === 'file' || answer === 'page' || reply.raw.headersSent) return reply
      void reply.status(status)
      return answer === undefined ? reply.send() : answered
    },
  })
}

/** The signed-in person behind a request, who has proven it where the endpoint asks for that. @throws Refusal 401; ProofNeeded */
async function admitted(
  app: FastifyInstance,
  { headers, body }: FastifyRequest,
  proof?: Proof,
  needsProof?: (person: Person, body: unknown) => boolean,
): Promise<Person> {
  const session = await app.sessionOf(headers.cookie)
  if (!session) throw new Refusal(401, 'Please log in.')
  const { person, isProven } = session
  nameTenant(person.id)
  const asks = proof === 'always' || (proof === 'without-password' && !person.hasPassword) || needsProof?.(person, body) === true
  if (asks && !isProven) throw new ProofNeeded()
  return person
}

function rateLimit(app: FastifyInstance, { max, per = '1 minute', of = 'address', refusal }: Limit) {
  return {
    max,
    timeWindow: per,
    ...(of === 'account' && { keyGenerator: async (request: FastifyRequest) => (await admitted(app, request)).id }),
    ...(refusal !== undefined && { errorResponseBuilder: () => new Refusal(429, refusal) }),
  }
}
