/** Names reserved for devices on Windows, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const longest = 80

/** A file or folder name from any text: letters, digits, dots, hyphens and underscores, so that it isn't a path and is valid on every system. */
export function safeFileName(text: string): string {
  const name = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .replaceAll(/\.{2,}/g, '.')
  const bare = Array.from(name)
    .slice(0, longest)
    .join('')
    .replaceAll(/^[._-]+|(?<![._-])[._-]+$/g, '')
  if (bare === '') return 'unnamed'
  return reserved.test(bare) ? `_${bare}` : bare
}

/** Same for several in one folder: all are distinct, even ignoring case. */
export function safeFileNames(texts: readonly string[]): string[] {
  const taken = new Set<string>()
  /** The last number of each name: thousands may be alike. */
  const numbers = new Map<string, number>()
  return texts.map((text) => {
    const name = safeFileName(text)
    let [unique, n] = [name, numbers.get(name.toLowerCase()) ?? 1]
    while (taken.has(unique.toLowerCase())) unique = `${name}-${++n}`
    numbers.set(name.toLowerCase(), n)
    taken.add(unique.toLowerCase())
    return unique
  })
}

/**
 * The header that makes a browser save an answer under this name. Old programs read the first one, which has to be plain ASCII, all others
 * the second (RFC 6266).
 */
export const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`
