import { ImportRefusal } from '../refusal.ts'

/** One record and the physical line it starts on (1-based; a quoted field may span several lines). */
export type CsvRecord = { line: number; fields: string[] }

type Delimiter = ',' | ';' | '\t'

/** Longer than any query with any URL, even if every character is escaped; limits what a missing closing quote swallows. */
export const maxRecord = 128 * 1024
/** More columns than any export has; each costs memory in every record. */
export const maxFields = 200

/**
 * Splits text into records as it arrives. Custom because a refusal has to name the physical line, even after quoted and mixed line ends
 * (RFC 4180, and lone LF or CR).
 */
function createCsvReader(delimiter: Delimiter, file: string | undefined, keep: ReadonlySet<number> | undefined) {
  let pending = ''
  let line = 1
  const delimiterCode = delimiter.charCodeAt(0)

  const tooLong = () => new ImportRefusal('This line is too long: is a quote left open?', { file, line })

  /** Reads records from `text`, keeping what may continue in the next piece. */
  function take(text: string, last: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = 0
    while (at < text.length) {
      const read = record(text, at, last)
      if (!read) break
      if (read.end - at > maxRecord) throw tooLong()
      records.push({ line, fields: read.fields })
      line += read.lines
      at = read.end
    }
    pending = text.slice(at)
    if (pending.length > maxRecord) throw tooLong()
    return records
  }

  function record(text: string, begin: number, last: boolean): { fields: string[]; end: number; lines: number } | undefined {
    const fields: string[] = []
    let at = begin
    let lines = 0
    for (;;) {
      if (fields.length === maxFields) throw new ImportRefusal(`There are more than ${maxFields} columns`, { file, line })
      if (text.charCodeAt(at) === 34) {
        const closed = quoted(text, at + 1, last)
        if (!closed) return undefined
        fields.push(closed.value)
        lines += newlines(closed.value)
        at = closed.end
        while (text.charCodeAt(at) === 32) at += 1
      } else {
        const from = at
        for (; at < text.length; at++) {
          const code = text.charCodeAt(at)
          if (code === delimiterCode || code === 10 || code === 13) break
        }
        // Most columns of wide tables are irrelevant, and cutting them out takes longer than everything else.
        fields.push(keep === undefined || keep.has(fields.length) ? text.slice(from, at) : '')
      }
      if (at >= text.length) return last ? { fields, end: at, lines } : undefined
      const code = text.charCodeAt(at)
      if (code === delimiterCode) at += 1
      else if (code === 10) return { fields, end: at + 1, lines: lines + 1 }
      else if (code === 13) {
        // Only the next piece shows whether a line feed follows.
        if (at + 1 >= text.length && !last) return undefined
        return { fields, end: text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1, lines: lines + 1 }
      } else throw new ImportRefusal("There's text after a closing quote", { file, line: line + lines })
    }
  }

  function quoted(text: string, begin: number, last: boolean): { value: string; end: number } | undefined {
    let value = ''
    let from = begin
    for (;;) {
      const quote = text.indexOf('"', from)
      if (quote < 0 || (quote + 1 === text.length && !last)) {
        if (last) throw new ImportRefusal("A quoted field isn't closed", { file, line })
        return undefined
      }
      if (text.charCodeAt(quote + 1) !== 34) return { value: value + text.slice(from, quote), end: quote + 1 }
      value += text.slice(from, quote + 1)
      from = quote + 2
    }
  }

  return {
    push: (text: string): CsvRecord[] => take(pending === '' ? text : pending + text, false),
    end: (): CsvRecord[] => take(pending, true),
  }
}

function newlines(value: string): number {
  if (!value.includes('\n') && !value.includes('\r')) return 0
  return value.split(/\r\n|\n|\r/).length - 1
}

/** The delimiter that splits the first line into the most columns; Excel's `sep=;` line names it. */
function detectDelimiter(firstLine: string): Delimiter {
  const said = /^sep=([,;\t])[\r\n]*$/i.exec(firstLine)
  if (said) return said[1] as Delimiter
  const bare = firstLine.replace(/"(?:[^"]|"")*"/g, '')
  const count = (mark: Delimiter): number => bare.split(mark).length
  return ([',', ';', '\t'] as const).reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

/**
 * Records in batches as the text arrives, empty lines included, split by the delimiter found in the first line. `keep`: the relevant columns,
 * if not all.
 */
export async function* readCsv(text: AsyncIterable<string>, file?: string, keep?: ReadonlySet<number>): AsyncGenerator<CsvRecord[]> {
  let reader: ReturnType<typeof createCsvReader> | undefined
  let head = ''
  for await (const piece of text) {
    if (reader) {
      yield reader.push(piece)
      continue
    }
    head += piece
    if (/[\r\n]/.test(head.trimStart()) || head.length > maxRecord)
      yield withoutSeparatorLine((reader = start(head, file, keep)).push(head))
  }
  if (!reader) yield withoutSeparatorLine((reader = start(head, file, keep)).push(head))
  yield reader.end()
}

function start(head: string, file: string | undefined, keep: ReadonlySet<number> | undefined): ReturnType<typeof createCsvReader> {
  const firstLine = head.split(/[\r\n]+/).find((line) => line.trim() !== '') ?? ''
  return createCsvReader(detectDelimiter(firstLine), file, keep)
}

function withoutSeparatorLine(records: CsvRecord[]): CsvRecord[] {
  const first = records.findIndex(({ fields }) => fields.length > 1 || fields[0] !== '')
  return records[first]?.fields[0]?.toLowerCase() === 'sep=' ? records.slice(first + 1) : records
}
