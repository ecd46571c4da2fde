import {
  importAnswer,
  importEndpoints,
  importLine,
  importLines,
  importProblem,
  type ImportAnswer,
  type ImportLine,
  type ImportProblem,
  type ImportProgress,
} from '../../contract/import.ts'
import { ApiFailure, NoAnswer, parseJson, provingIdentity, UnreadableAnswer } from './client.ts'

const { path } = importEndpoints.upload

/** A refused file, with the bad line and the file in the ZIP, if the server named them. */
export class ImportFailure extends ApiFailure {
  override name = 'ImportFailure'
  readonly refusal: ImportProblem | null

  constructor(status: number, statusText: string, body: string) {
    super(status, statusText, body)
    const parsed = importProblem.safeParse(parseJson(body, path))
    this.refusal = parsed.success ? parsed.data : null
  }
}

/** An upload's progress: sent, as a fraction of 1, and then read. */
export type UploadState = { sent: number; reading: ImportProgress | null }

/** Uploads files into a property, again if the server requires a proof of identity first: of one that others see in reports. */
export const importFiles = (property: string, files: readonly File[], onState: (state: UploadState) => void): Promise<ImportAnswer> =>
  provingIdentity(() => upload(property, files, onState))

/**
 * Unlike every other call this uses XMLHttpRequest, because fetch doesn't report how much of a body has been
 * sent. While reading them, the server sends a line of progress each second.
 */
function upload(property: string, files: readonly File[], onState: (state: UploadState) => void): Promise<ImportAnswer> {
  const form = new FormData()
  form.append('property', property)
  for (const file of files) form.append('file', file)
  const { promise, resolve, reject } = Promise.withResolvers<ImportAnswer>()
  const request = new XMLHttpRequest()
  request.open(importEndpoints.upload.method, path)
  request.setRequestHeader('accept', importLines)
  let sent = 0
  request.upload.addEventListener('progress', (event) => {
    if (event.lengthComputable) sent = event.loaded / event.total
    onState({ sent, reading: null })
  })
  const answersInLines = () => request.getResponseHeader('content-type')?.startsWith(importLines) === true
  request.addEventListener('progress', () => {
    const line = answersInLines() ? lastLine(request.responseText) : undefined
    if (line && 'progress' in line) onState({ sent: 1, reading: line.progress })
  })
  const interrupted = () => reject(new NoAnswer(new Error('The upload was interrupted')))
  request.addEventListener('error', interrupted)
  request.addEventListener('load', () => {
    const { status, statusText, responseText } = request
    if (status < 200 || status > 299) return reject(new ImportFailure(status, statusText, responseText))
    if (answersInLines()) {
      const line = lastLine(responseText)
      if (line === undefined || 'progress' in line) return interrupted()
      if ('answer' in line) return resolve(line.answer)
      return reject(new ImportFailure(line.status, '', JSON.stringify(line.problem)))
    }
    const parsed = importAnswer.safeParse(parseJson(responseText, path))
    return parsed.success ? resolve(parsed.data) : reject(new UnreadableAnswer(path, parsed.error))
  })
  request.send(form)
  return promise
}

/** The last complete line received so far. */
function lastLine(text: string): ImportLine | undefined {
  const line = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .trimEnd()
    .split('\n')
    .at(-1)
  return line === undefined || line === '' ? undefined : importLine.safeParse(parseJson(line, path)).data
}
