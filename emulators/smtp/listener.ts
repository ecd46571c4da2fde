import { once } from 'node:events'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { at, FAULTS, type FaultName } from './faults.ts'
import { type Envelope, parseMail } from './message.ts'
import type { World } from './world.ts'

const MAX_MESSAGE = 25 * 1024 * 1024

/** The SMTP side, which can stop listening and start again on the same port. */
export interface Listener {
  /** Its last port. */
  readonly port: number
  readonly listening: boolean
  listen(): Promise<void>
  /** Refuses new connections and breaks existing ones. */
  stop(): Promise<void>
}

/** An SMTP reply that refuses. */
function refusal(name: FaultName): Error {
  const { code, text } = FAULTS[name]
  return Object.assign(new Error(text), { responseCode: code })
}

function envelopeOf({ envelope }: SMTPServerSession): Envelope {
  return { from: envelope.mailFrom ? envelope.mailFrom.address : '', to: envelope.rcptTo.map((each) => each.address) }
}

export function createListener(world: World, firstPort: number): Listener {
  const sockets = new Map<number, Socket>()
  let port = firstPort
  let running: SMTPServer | null = null

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const envelope = envelopeOf(session)
    if (world.faults.take(at('data', envelope.to))) {
      world.note({ ...envelope, messageId: null, outcome: 'reset' })
      await once(stream, 'readable')
      sockets.get(session.remotePort)?.resetAndDestroy()
      return
    }
    const mail = await parseMail(await buffer(stream))
    const fault = world.faults.take(at('message', envelope.to))?.error
    world.note({ ...envelope, messageId: mail.messageId, outcome: fault ?? 'accepted' })
    if (fault) throw refusal(fault)
    world.mailbox.add(envelope, mail)
  }

  function create(): SMTPServer {
    const smtp = new SMTPServer({
      name: 'smtp.stand-in',
      banner: 'Ranklark mail stand-in',
      size: MAX_MESSAGE,
      // There is no certificate; any login succeeds.
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      onAuth: ({ username = '', password }, _session, callback) => {
        world.logins.push(`${username}:${password ?? ''}`)
        callback(null, { user: username })
      },
      onConnect: (_session, callback) => {
        const fault = world.faults.take(at('connect'))?.error
        if (fault) world.note({ from: '', to: [], messageId: null, outcome: fault })
        setTimeout(() => callback(fault && refusal(fault)), world.faults.delay)
      },
      onMailFrom: ({ address }, _session, callback) => {
        const fault = world.faults.take(at('sender'))?.error
        if (fault) world.note({ from: address, to: [], messageId: null, outcome: fault })
        callback(fault && refusal(fault))
      },
      onRcptTo: ({ address }, session, callback) => {
        const fault = world.faults.take(at('recipient', [address]))?.error
        if (fault) world.note({ from: envelopeOf(session).from, to: [address], messageId: null, outcome: fault })
        callback(fault && refusal(fault))
      },
      onData: callbackify(receive),
    })
    // The other side broke off the connection.
    smtp.on('error', () => {})
    smtp.server.on('connection', (socket) => {
      const { remotePort } = socket
      if (remotePort === undefined) return
      sockets.set(remotePort, socket)
      socket.once('close', () => sockets.delete(remotePort))
    })
    return smtp
  }

  return {
    get port() {
      return port
    },
    get listening() {
      return running !== null
    },
    async listen() {
      if (running) return
      const smtp = create()
      await new Promise<void>((resolve, reject) => {
        smtp.server.once('error', reject)
        smtp.listen(port, '127.0.0.1', resolve)
      })
      const address = smtp.server.address()
      port = typeof address === 'object' && address !== null ? address.port : port
      running = smtp
    },
    async stop() {
      const smtp = running
      running = null
      for (const socket of sockets.values()) socket.destroy()
      if (smtp) await new Promise<void>((resolve) => smtp.close(() => resolve()))
    },
  }
}
