import { ImportRefusal } from '../refusal.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

const lineFeeds = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

/**
 * Decodes UTF-8 (with or without a byte order mark) or UTF-16 with one. Strict, because a replacement character would become part of a
 * query that never matches again.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, file?: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let encoding: Encoding = 'utf-8'
  let line = 1
  let head: Uint8Array = new Uint8Array(0)

  function decode(chunk: Uint8Array, last: boolean): string {
    if (!decoder) {
      encoding = encodingOf(chunk)
      if (encoding === 'utf-8' && chunk.includes(0))
        throw new ImportRefusal("This isn't a text file: upload a CSV, or the ZIP that Search Console exports", { file })
      decoder = new TextDecoder(encoding, { fatal: true })
    }
    try {
      const text = decoder.decode(chunk, { stream: !last })
      line += encoding === 'utf-8' ? lineFeeds(chunk) : text.split('\n').length - 1
      return text
    } catch {
      const at = encoding === 'utf-8' ? line + linesBeforeFault(chunk) : line
      throw new ImportRefusal(
        `The text is not valid ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'}: save the file as "CSV UTF-8" and try again`,
        { file, line: at },
      )
    }
  }

  for await (const chunk of bytes) {
    // The byte order mark may arrive in pieces.
    if (!decoder && head.length + chunk.length < 3) head = concat(head, chunk)
    else {
      yield decode(head.length > 0 ? concat(head, chunk) : chunk, false)
      head = new Uint8Array(0)
    }
  }
  const rest = decode(head, true)
  if (rest !== '') yield rest
}

const concat = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** How many lines of the chunk decode on their own. The first may continue a character, so it is excused. */
function linesBeforeFault(chunk: Uint8Array): number {
  const strict = new TextDecoder('utf-8', { fatal: true })
  let lines = 0
  let from = 0
  for (;;) {
    const end = chunk.indexOf(10, from)
    if (end < 0) return lines
    let start = from
    if (from === 0) while (start < 3 && ((chunk[start] ?? 0) & 0xc0) === 0x80) start += 1
    try {
      strict.decode(chunk.subarray(start, end))
    } catch {
      return lines
    }
    lines += 1
    from = end + 1
  }
}
