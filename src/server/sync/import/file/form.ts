import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mostFiles } from '../../../../contract/import.ts'
import { maxUpload, type Received, receive, removeAll, roomForUpload, tooLarge } from '../receive.ts'
import { ImportRefusal } from '../refusal.ts'

/** An upload form, its files already on disk; removing them is the receiver's. */
export type Form = { property: string; user: string | undefined; files: Received[] }

/** Room for the fields and boundaries around the file. */
const formOverhead = 1024 * 1024

/** Teaches `app` to take forms of the size of an upload. No body is read before it is known who sends it: of other kinds none at all. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fields: 8, fieldNameSize: 100, fieldSize: 8192, files: mostFiles, parts: mostFiles + 10, fileSize: maxUpload },
  })
}

/**
 * Takes a multipart form in, its fields in any order. @throws ImportRefusal; then no file stays behind
 */
export async function readForm(request: FastifyRequest, dataDir: string): Promise<Form> {
  if (!request.isMultipart()) throw new ImportRefusal('Send a form (multipart/form-data) with "property" and "file"')
  let room = await roomForUpload(dataDir)
  if (Number(request.headers['content-length'] ?? 0) > room + formOverhead) throw tooLarge()
  const fields = new Map<string, string>()
  const files: Received[] = []
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.set(part.fieldname, typeof part.value === 'string' ? part.value : '')
      else if (part.fieldname !== 'file') throw new ImportRefusal('Files belong in the field "file"', { field: part.fieldname })
      else {
        const name = part.filename === '' ? 'file' : part.filename
        const received = await receive(dataDir, { name, content: part.file }, room)
        files.push(received)
        room -= received.size
        if (part.file.truncated) throw tooLarge()
      }
    }
    const property = fields.get('property')
    if (files.length === 0) throw new ImportRefusal('Choose a file', { field: 'file' })
    if (property === undefined) throw new ImportRefusal('Enter a name for the property', { field: 'property' })
    return { property, user: fields.get('user'), files }
  } catch (error) {
    await removeAll(files)
    throw asRefusal(error)
  }
}

/** Limits and broken forms, as the multipart parser reports them. */
function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_FILES_LIMIT')
    return new ImportRefusal(`You can upload up to ${mostFiles} files at once: split them by date`, { field: 'file' })
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return new ImportRefusal('The form has too many fields')
  return error
}
