import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { machineEndpoints } from '../../contract/machine.ts'
import { serve } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { HandOver } from '../platform/hand-over.ts'

/** What proxies write to a request that they forward. */
const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

const refused = () => new Refusal(401, 'Only the command line of this installation may do this.')

/** Lets the command line of this machine in, by the token that only whoever may read the data directory has. @throws Refusal 401 */
export const ofThisMachine =
  (handOver: HandOver) =>
  async (request: FastifyRequest): Promise<void> => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (isDirect(request) && token !== undefined && handOver.accepts(token)) return
    throw refused()
  }

/** Shows the command line that this is the server which wrote its note, before it sends token or files (platform/hand-over.ts). */
export const handOverRoutes =
  (handOver: HandOver): FastifyPluginAsync =>
  async (app) => {
    const directly = async (request: FastifyRequest): Promise<void> => {
      if (!isDirect(request)) throw refused()
    }
    serve(
      app,
      machineEndpoints.handOver,
      ({ request: { headers, socket } }) => {
        const challenge = headers['x-challenge']
        if (typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge) || socket.localPort === undefined) throw refused()
        return { proof: handOver.prove(challenge, socket.localPort) }
      },
      { ofThisMachine: directly },
    )
  }

/** Whether the request comes from this machine without a proxy between: by its connection, not by what is said of it. */
function isDirect({ socket, headers }: FastifyRequest): boolean {
  const [theirs, ours] = [socket.remoteAddress ?? '', socket.localAddress ?? ''].map((address) => address.replace(/^::ffff:/, ''))
  const isLocal = theirs !== undefined && theirs !== '' && (theirs.startsWith('127.') || theirs === '::1' || theirs === ours)
  return isLocal && !forwarded.some((name) => name in headers)
}
