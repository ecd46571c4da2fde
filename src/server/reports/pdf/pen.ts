import type PDFDocument from 'pdfkit'
import type { Weight } from './fonts/face.ts'
import type { FontSet } from './fonts/font-set.ts'
import { charactersOf, drawable, type Run, runsOf } from './fonts/runs.ts'

export type Style = { size: number; weight?: Weight; color: string }
type Drawn = Run & { /** For text of one point. */ width: number; scale: number }
type Line = { runs: readonly Drawn[]; width: number }
export type Align = 'left' | 'right' | 'centre'

export type Doc = InstanceType<typeof PDFDocument>

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Emoji are drawn larger than letters of the same size. */
const emojiScale = 0.8

/** Texts whose shaping is cached: numbers and names repeat. */
const mostKept = 20_000

/** More than any line shows. Of a longer text only the beginning and end are shaped, because long names would take the thread minutes. */
const mostShaped = 300

function shortened(text: string): string {
  if (text.length <= mostShaped) return text
  const letters = [...drawable(text)]
  const half = mostShaped / 2
  return letters.length <= mostShaped ? letters.join('') : `${letters.slice(0, half).join('')}…${letters.slice(1 - half).join('')}`
}

/** Draws text in any script and measures its width. */
export function createPen(doc: Doc, fonts: FontSet) {
  const registered = new Set<string>()
  const kept = new Map<string, Line>()

  function use({ face }: Run, size: number): void {
    if (!registered.has(face.name)) {
      registered.add(face.name)
      // The library also accepts an open font; its types don't say so.
      doc.registerFont(face.name, face.font as unknown as string)
    }
    doc.font(face.name).fontSize(size)
  }

  function shape(whole: string, weight: Weight): Line {
    const text = shortened(whole)
    const key = `${weight} ${text}`
    const known = kept.get(key)
    if (known) return known
    const runs = runsOf(drawable(text), weight, fonts).map((run): Drawn => {
      use(run, 1)
      const scale = run.face.name.startsWith('noto-emoji') ? emojiScale : 1
      return { ...run, scale, width: doc.widthOfString(run.text) * scale }
    })
    const line = { runs, width: runs.reduce((sum, { width }) => sum + width, 0) }
    if (kept.size >= mostKept) kept.clear()
    kept.set(key, line)
    return line
  }

  const widthOf = (text: string, { size, weight = 400 }: Style): number => shape(text, weight).width * size

  /** `y` is the baseline. */
  function write(text: string, x: number, y: number, style: Style, align: Align = 'left'): void {
    const { runs, width } = shape(text, style.weight ?? 400)
    let at = x - { left: 0, right: width, centre: width / 2 }[align] * style.size
    doc.fillColor(style.color)
    for (const run of runs) {
      use(run, style.size * run.scale)
      doc.text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic' })
      at += run.width * style.size
    }
  }

  /** The text, or its beginning and end around `…` if it is too wide. */
  function fit(whole: string, width: number, style: Style): string {
    const text = shortened(whole)
    if (widthOf(text, style) <= width) return text
    const characters = charactersOf(drawable(text))
    const cut = (left: number): string =>
      `${characters.slice(0, Math.ceil(left / 2)).join('')}…${left > 1 ? characters.slice(-Math.floor(left / 2)).join('') : ''}`
    // The longest that fits, by binary search.
    let [fits, tooMany] = [0, characters.length]
    while (tooMany - fits > 1) {
      const middle = Math.floor((fits + tooMany) / 2)
      if (widthOf(cut(middle), style) <= width) fits = middle
      else tooMany = middle
    }
    return cut(fits)
  }

  /** Lines of at most this width; the last of `most` lines is truncated if there is more. */
  function wrap(text: string, width: number, style: Style, most: number): string[] {
    const lines: string[] = []
    let line = ''
    const parts = unbroken(Array.from(words.segment(drawable(text).trim()), ({ segment }) => segment))
    for (const [index, part] of parts.entries()) {
      if (widthOf(line + part, style) <= width || line === '') line += part
      else if (lines.length === most - 1) return [...lines, fit(line + parts.slice(index).join(''), width, style)]
      else {
        lines.push(fit(line.trimEnd(), width, style))
        line = part.trimStart()
      }
    }
    return line === '' ? lines : [...lines, fit(line, width, style)]
  }

  return { widthOf, write, fit, wrap }
}

/** Words with the punctuation that must not be left at the end or the start of a line. */
function unbroken(segments: readonly string[]): string[] {
  const parts: string[] = []
  for (const segment of segments) {
    const last = parts.at(-1)
    if (last !== undefined && (/[([“‘«−+]$/.test(last) || /^[)\]”’».,;:!?%]/.test(segment))) parts[parts.length - 1] = last + segment
    else parts.push(segment)
  }
  return parts
}

export type Pen = ReturnType<typeof createPen>
