import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mostFiles } from '../../../../contract/import.ts'
import { mostBytesOfNew, tooLargeForNew } from '../row-limits.ts'
import { maxUpload, type Received, receive, removeAll, roomForUpload, tooLarge } from '../receive.ts'
import { ImportRefusal } from '../refusal.ts'

/** An upload form with its files on disk; whoever receives it removes them. */
export type Form = { property: string; user: string | undefined; files: Received[] }

/** Characters of a file's name that are kept; no file system takes longer ones. */
const longestName = 255
const limits = {
  fields: 8,
  fieldNameSize: 100,
  fieldSize: 8192,
  files: mostFiles,
  parts: mostFiles + 10,
  fileSize: maxUpload,
  /** Bytes of a part's headers; the parser reads those of 80 KiB in a tenth of a second. */
  headerSize: 4096,
}
/** Bytes for the fields and boundaries around the file. */
const formOverhead = 1024 * 1024

/** Lets `app` accept forms the size of an upload. Bodies are read only once the sender is known; other kinds not at all. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits,
  })
}

export type FormRules = {
  /** Whether its sender's account is new, and may send less. */
  isNew?: boolean
  /** Refuses a property by throwing: as soon as it is known, which in our own form is before the files. */
  admit?: (property: string) => Promise<void>
}

/**
 * Reads a multipart form, its fields in any order.
 * @throws ImportRefusal, and whatever `admit` throws, leaving no file behind
 */
export async function readForm(request: FastifyRequest, dataDir: string, { isNew = false, admit }: FormRules): Promise<Form> {
  if (!request.isMultipart()) throw new ImportRefusal('Send a form (multipart/form-data) with "property" and "file"')
  let room = await roomForUpload(dataDir)
  const refusal = isNew && mostBytesOfNew < room ? tooLargeForNew : tooLarge
  if (isNew) room = Math.min(room, mostBytesOfNew)
  if (Number(request.headers['content-length'] ?? 0) > room + formOverhead) throw refusal()
  const fields = new Map<string, string>()
  const files: Received[] = []
  let admitted: string | undefined
  async function admitProperty(): Promise<void> {
    const property = fields.get('property')
    if (property === undefined || property === admitted) return
    await admit?.(property)
    admitted = property
  }
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') await admitProperty()
      if (part.type === 'field') fields.set(part.fieldname, typeof part.value === 'string' ? part.value : '')
      else if (part.fieldname !== 'file') throw new ImportRefusal('Files belong in the field "file"', { field: part.fieldname })
      else {
        // The end, which has the extension.
        const name = part.filename === '' ? 'file' : part.filename.slice(-longestName)
        const received = await receive(dataDir, { name, content: part.file }, room, undefined, refusal)
        files.push(received)
        room -= received.size
        if (part.file.truncated) throw refusal()
      }
    }
    const property = fields.get('property')
    if (files.length === 0) throw new ImportRefusal('Choose a file', { field: 'file' })
    if (property === undefined) throw new ImportRefusal('Enter a name for the property', { field: 'property' })
    await admitProperty()
    return { property, user: fields.get('user'), files }
  } catch (error) {
    await removeAll(files)
    throw asRefusal(error)
  }
}

/** Translates limits and broken forms as the multipart parser reports them. */
function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_FILES_LIMIT')
    return new ImportRefusal(`You can upload up to ${mostFiles} files at once: split them by date`, { field: 'file' })
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return new ImportRefusal('The form has too many fields')
  return error
}
