import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { machineEndpoints } from '../../contract/machine.ts'
import { serve } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { HandOver } from '../platform/command-handshake.ts'

/** Headers that proxies add to forwarded requests. */
const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

const refused = () => new Refusal(401, 'Only the command line of this installation may do this.')

/** Admits this machine's command line, by the token that only readers of the data directory can know. @throws Refusal 401 */
export const ofThisMachine =
  (handOver: HandOver) =>
  async (request: FastifyRequest): Promise<void> => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (isDirect(request) && token !== undefined && handOver.accepts(token)) return
    throw refused()
  }

/** Proves to the command line that this server wrote the note, before it sends a token or files (platform/command-handshake.ts). */
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

/** Whether the request comes directly from this machine: as its connection shows, whatever it claims. */
function isDirect({ socket, headers }: FastifyRequest): boolean {
  const [theirs, ours] = [socket.remoteAddress ?? '', socket.localAddress ?? ''].map((address) => address.replace(/^::ffff:/, ''))
  const isLocal = theirs !== undefined && theirs !== '' && (theirs.startsWith('127.') || theirs === '::1' || theirs === ours)
  return isLocal && !forwarded.some((name) => name in headers)
}
