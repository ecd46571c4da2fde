import { importAnswer, importProblem, type ImportAnswer, type ImportProblem } from '../../contract/import.ts'
import { ApiFailure, NoAnswer, parseJson, UnreadableAnswer } from './client.ts'

/** A refused file, with the line and the file in the ZIP that were wrong, when the server named them. */
export class ImportFailure extends ApiFailure {
  override name = 'ImportFailure'
  readonly refusal: ImportProblem | null

  constructor(status: number, statusText: string, body: string) {
    super(status, statusText, body)
    const parsed = importProblem.safeParse(parseJson(body, '/api/import'))
    this.refusal = parsed.success ? parsed.data : null
  }
}

/**
 * Uploads a file into a property. Unlike every other call this goes through XMLHttpRequest,
 * because fetch does not tell how much of a body has been sent. `onSent` gets fractions of 1.
 */
export function importFile(property: string, file: File, onSent: (fraction: number) => void): Promise<ImportAnswer> {
  const form = new FormData()
  form.append('property', property)
  form.append('file', file)
  const { promise, resolve, reject } = Promise.withResolvers<ImportAnswer>()
  const request = new XMLHttpRequest()
  request.open('POST', '/api/import')
  request.upload.addEventListener('progress', (event) => {
    if (event.lengthComputable) onSent(event.loaded / event.total)
  })
  request.addEventListener('error', () => reject(new NoAnswer(new Error('The upload was interrupted'))))
  request.addEventListener('load', () => {
    if (request.status < 200 || request.status > 299) {
      reject(new ImportFailure(request.status, request.statusText, request.responseText))
      return
    }
    const parsed = importAnswer.safeParse(parseJson(request.responseText, '/api/import'))
    if (parsed.success) resolve(parsed.data)
    else reject(new UnreadableAnswer('/api/import', parsed.error))
  })
  request.send(form)
  return promise
}
