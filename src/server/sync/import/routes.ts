import multipart from '@fastify/multipart'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { importAnswer, importProblem } from '../../../contract/import.ts'
import { Refusal } from '../../errors.ts'
import type { HandOver } from './hand-over.ts'
import { maxUpload, type Received, receive, tooLarge } from './receive.ts'
import { ImportRefusal } from './refusal.ts'
import type { ImportService } from './service.ts'

export type ImportRoutesDeps = {
  imports: ImportService
  /** The signed-in person behind a request. @throws Refusal 401 */
  requirePerson(request: FastifyRequest): Promise<{ id: string }>
  handOver: HandOver
}

type Form = { property: string; user: string | undefined; fileName: string; received: Received }

/** Room for the fields and boundaries around the file. */
const formOverhead = 64 * 1024

/** Uploads: `POST /api/import` for the signed-in person, `POST /api/import/hand-over` for the command line of this machine. */
export const importRoutes =
  ({ imports, requirePerson, handOver }: ImportRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    await app.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fields: 8, fieldNameSize: 100, fieldSize: 8192, files: 1, parts: 10, fileSize: maxUpload },
    })

    async function answer(request: FastifyRequest, reply: FastifyReply, userOf: (form: Form) => Promise<string>): Promise<FastifyReply> {
      const form = await readForm(request, imports.dataDir)
      try {
        const result = await imports.importReceived(form.received, { userId: await userOf(form), propertyName: form.property, fileName: form.fileName })
        return result.ok ? reply.send(importAnswer.parse(result.answer)) : reply.status(result.status).send(importProblem.parse(result.problem))
      } finally {
        await form.received.remove()
      }
    }

    const withProblems = async (reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof ImportRefusal) return reply.status(error.status).send(error.problem)
        throw error
      }
    }

    app.post('/api/import', { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } }, async (request, reply) => {
      const person = await requirePerson(request)
      return withProblems(reply, () => answer(request, reply, async () => person.id))
    })

    const requireHandOver = async (request: FastifyRequest): Promise<void> => {
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
      // Behind a proxy every request comes from this machine: the token decides, this only keeps the door small.
      if (!isLocal(request) || token === undefined || !handOver.accepts(token)) throw new Refusal(401, 'Only the command line of this installation may do this.')
    }
    app.get('/api/import/hand-over', { onRequest: requireHandOver }, async (_request, reply) => reply.status(204).send())
    app.post('/api/import/hand-over', { onRequest: requireHandOver }, async (request, reply) =>
      withProblems(reply, () => answer(request, reply, (form) => imports.findUser(form.user))),
    )
  }

/** The peer of the connection itself, not what a proxy says of it. */
function isLocal({ socket }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return address.startsWith('127.') || address === '::1' || (address !== '' && address === (socket.localAddress ?? '').replace(/^::ffff:/, ''))
}

/**
 * Takes a multipart form in, its fields in any order. @throws ImportRefusal; then no file stays behind
 */
async function readForm(request: FastifyRequest, dataDir: string): Promise<Form> {
  if (!request.isMultipart()) throw new ImportRefusal('Send a form (multipart/form-data) with "property" and "file"')
  if (Number(request.headers['content-length'] ?? 0) > maxUpload + formOverhead) throw tooLarge()
  const fields = new Map<string, string>()
  let file: { name: string; received: Received } | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.set(part.fieldname, typeof part.value === 'string' ? part.value : '')
      else if (part.fieldname !== 'file') throw new ImportRefusal('The form may hold one file, in the field "file"', { field: part.fieldname })
      else {
        file = { name: part.filename === '' ? 'file' : part.filename, received: await receive(dataDir, part.file) }
        if (part.file.truncated) throw tooLarge()
      }
    }
    const property = fields.get('property')
    if (!file) throw new ImportRefusal('Choose a file', { field: 'file' })
    if (property === undefined) throw new ImportRefusal('Give the property a name', { field: 'property' })
    return { property, user: fields.get('user'), fileName: file.name, received: file.received }
  } catch (error) {
    await file?.received.remove()
    throw asRefusal(error)
  }
}

/** Limits and broken forms, as the multipart parser reports them. */
function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_FILES_LIMIT') return new ImportRefusal('The form may hold one file, in the field "file"', { field: 'file' })
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return new ImportRefusal('The form has too many fields')
  return error
}
