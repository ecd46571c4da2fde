import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { importAnswer, importProblem } from '../../../contract/import.ts'
import { Refusal } from '../../errors.ts'
import { acceptForms, type Form, readForm } from './form.ts'
import type { HandOver } from '../../platform/hand-over.ts'
import { ImportRefusal } from './refusal.ts'
import type { ImportResult, ImportService } from './service.ts'
import { createUploadPlaces } from './upload-places.ts'

export type ImportRoutesDeps = {
  imports: ImportService
  /** The signed-in person behind a request. @throws Refusal 401 */
  requirePerson(request: FastifyRequest): Promise<{ id: string }>
  handOver: HandOver
}

/** Uploads: `POST /api/import` for the signed-in person, `POST /api/import/hand-over` for the command line of this machine. */
export const importRoutes =
  ({ imports, requirePerson, handOver }: ImportRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    await acceptForms(app)
    const places = createUploadPlaces()

    const schema = { response: { 200: importAnswer } }
    app.post('/api/import', { config: { rateLimit: { max: 60, timeWindow: '1 minute' } }, schema }, async (request, reply) => {
      const person = await requirePerson(request)
      const leave = places.take(person.id)
      try {
        return await answer(reply, () => importForm(imports, request, async () => person.id))
      } finally {
        leave()
      }
    })

    const onRequest = tokenCheck(handOver)
    app.get('/api/import/hand-over', { onRequest }, async (_request, reply) => reply.status(204).send())
    app.post('/api/import/hand-over', { onRequest, schema }, async (request, reply) =>
      answer(reply, () => importForm(imports, request, (form) => imports.findUser(form.user))),
    )
  }

async function importForm(imports: ImportService, request: FastifyRequest, userOf: (form: Form) => Promise<string>): Promise<ImportResult> {
  const form = await readForm(request, imports.dataDir)
  try {
    const { property: propertyName, fileName, received } = form
    return await imports.importReceived(received, { userId: await userOf(form), propertyName, fileName })
  } finally {
    await form.received.remove()
  }
}

/** A refused file is answered here rather than by the error handler: it has a line and a file to name. */
async function answer(reply: FastifyReply, work: () => Promise<ImportResult>): Promise<FastifyReply> {
  try {
    const result = await work()
    if (result.ok) return reply.send(result.answer)
    return reply.status(result.status).send(importProblem.parse(result.problem))
  } catch (error) {
    if (error instanceof ImportRefusal) return reply.status(error.status).send(error.problem)
    throw error
  }
}

/** Lets the command line of this machine in. @throws Refusal 401 */
export const tokenCheck =
  (handOver: HandOver) =>
  async (request: FastifyRequest): Promise<void> => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    // Behind a proxy every request comes from this machine: the token decides, this only keeps the door small.
    if (isLocal(request) && token !== undefined && handOver.accepts(token)) return
    throw new Refusal(401, 'Only the command line of this installation may do this.')
  }

/** The peer of the connection itself, not what a proxy says of it. */
function isLocal({ socket }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return (
    address.startsWith('127.') || address === '::1' || (address !== '' && address === (socket.localAddress ?? '').replace(/^::ffff:/, ''))
  )
}
