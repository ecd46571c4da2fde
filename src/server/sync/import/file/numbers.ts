import { shown } from '../refusal.ts'

/** An unreadable cell; the reason continues a sentence that begins with the column's name. */
export class BadCell extends Error {
  override name = 'BadCell'
}

/** Larger than any day of any site, but fits the store's UInt32 and exact sums. */
export const maxCount = 1_000_000_000

const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/g
/** Converts digits, marks and signs of other scripts to ASCII, and no-break and thin spaces to a space. */
export function normalized(text: string): string {
  if (/^[!-~]*$/.test(text)) return text
  return text
    .replace(arabicDigits, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, "'")
    .replace(/\u066a/g, '%')
    .replace(/[\u2212\u2012\u2013\ufe63\uff0d]/g, '-')
    .normalize('NFKC')
    .replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\u2019\u02bc]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}

const absent = /^(?:|-+|~|—|n\/?a)$/i
const spacedGroups = /^\d{1,3}(?:[ ']\d{3})+(?=$|[.,])/

/**
 * Reads the numbers of one file. Unambiguous cells show whether "." and "," are decimal or thousands marks; a later cell that contradicts
 * them is refused, not guessed: "1.234" is a thousand clicks in German and one and a bit in English.
 */
export function createNumberReader() {
  const roles = new Map<string, { role: 'decimal' | 'thousands'; line: number }>()

  function claim(mark: string, role: 'decimal' | 'thousands', line: number): void {
    const known = roles.get(mark)
    if (!known) roles.set(mark, { role, line })
    else if (known.role !== role) {
      throw new BadCell(`uses "${mark}" as a ${role} separator, but line ${known.line} uses it as a ${known.role} separator`)
    }
  }

  /** A number with "." as its decimal mark. */
  function decimalText(text: string, line: number): string {
    const body = text.replace(spacedGroups, (groups) => groups.replace(/[ ']/g, ''))
    const both = /^(\d{1,3}(?:([.,])\d{3})+)([.,])(\d+)$/.exec(body)
    if (both && both[2] !== both[3]) {
      claim(both[2] as string, 'thousands', line)
      claim(both[3] as string, 'decimal', line)
      return `${(both[1] as string).replace(/[.,]/g, '')}.${both[4]}`
    }
    const one = /^(\d*)([.,])(\d+)$/.exec(body)
    if (!one) return body
    claim(one[2] as string, 'decimal', line)
    return `${one[1] || '0'}.${one[3]}`
  }

  return {
    /** Reads a whole number of clicks or impressions. @throws BadCell */
    count(cell: string, line: number): number {
      if (/^\d{1,9}$/.test(cell)) return Number(cell)
      const text = normalized(cell)
      if (absent.test(text)) throw new BadCell('is missing')
      if (/^-[\d.,]/.test(text)) throw new BadCell(`is negative (${shown(cell, 30)})`)
      let body = text.replace(spacedGroups, (groups) => groups.replace(/[ ']/g, ''))
      const mark = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.exec(body)?.[1] ?? (/^\d{1,2}(?:,\d{2})+,\d{3}$/.test(body) ? ',' : undefined)
      if (mark !== undefined && roles.get(mark)?.role !== 'decimal') {
        claim(mark, 'thousands', line)
        body = body.replaceAll(mark, '')
      } else body = decimalText(body, line)
      if (!/^\d+(?:\.\d+)?$/.test(body)) throw new BadCell(`is not a number (${shown(cell, 30)})`)
      const value = Number(body)
      if (!Number.isInteger(value)) throw new BadCell(`is not a whole number (${shown(cell, 30)})`)
      if (value > maxCount) throw new BadCell(`is too large (${shown(cell, 30)})`)
      return value
    },

    /** Reads a decimal number, or a percentage as a fraction; undefined for an empty cell. @throws BadCell */
    decimal(cell: string, line: number): { value: number; percent: boolean } | undefined {
      if (/^\d{1,9}$/.test(cell)) return { value: Number(cell), percent: false }
      const text = normalized(cell)
      if (absent.test(text)) return undefined
      const percent = /^%|%$/.test(text)
      const bare = text.replace(/^% ?| ?%$/g, '')
      if (/^-[\d.,]/.test(bare)) throw new BadCell(`is negative (${shown(cell, 30)})`)
      // Programs write tiny fractions as 1e-05.
      const body = /^\d+(?:\.\d+)?e[+-]?\d+$/i.test(bare) ? bare : decimalText(bare, line)
      if (!/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(body)) throw new BadCell(`is not a number (${shown(cell, 30)})`)
      const value = Number(body)
      if (!Number.isFinite(value)) throw new BadCell(`is too large (${shown(cell, 30)})`)
      return { value: percent ? value / 100 : value, percent }
    },
  }
}
