import type { ImportProblem } from '../../../contract/import.ts'
import { Refusal } from '../../common/errors.ts'

/** A place in the upload: a file of the ZIP, a line in it (1-based, the header being 1), or a form field. */
type Place = { file?: string | undefined; line?: number | undefined; field?: string | undefined }

/** Stops an import from deep within its streams; `importFile` turns it into a value. The message is for the person who chose the file. */
export class ImportRefusal extends Refusal {
  override name = 'ImportRefusal'
  readonly problem: ImportProblem

  constructor(message: string, place: Place = {}, status: Refusal['status'] = 400) {
    super(status, message, place.field)
    this.problem = {
      message,
      ...(place.field !== undefined && { field: place.field }),
      ...(place.line !== undefined && { line: place.line }),
      ...(place.file !== undefined && { file: place.file }),
    }
  }
}

/** Text from the file, fit for a message: one line, no control characters, limited length. */
export function shown(text: string, length = 80): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const chars = [...clean]
  return chars.length > length ? `${chars.slice(0, length - 1).join('')}…` : clean
}
