import { greys, type Look, margin } from './look.ts'
import type { Doc, Pen } from './pen.ts'

/** The height of the footer line. */
const footHeight = 34
const topOfPage = 46

type Structure = ReturnType<Doc['struct']>

export type Sheet = ReturnType<typeof createSheet>

/** A report's pages, filled from top to bottom. */
export function createSheet(doc: Doc, pen: Pen, look: Look) {
  const root = doc.struct('Document')
  doc.addStructure(root)
  let section: Structure = root
  let outline = doc.outline
  const { width, height } = doc.page
  const bottom = height - margin - footHeight + 10

  const sheet = {
    doc,
    pen,
    look,
    left: margin,
    right: width - margin,
    width: width - 2 * margin,
    pageWidth: width,
    /** Where the next item goes. */
    y: topOfPage,

    newPage(): void {
      doc.addPage()
      sheet.y = topOfPage
    },

    /** Starts a new page if less than this is left. */
    room(needed: number): void {
      if (sheet.y + needed > bottom) sheet.newPage()
    },

    /** One tagged item: `H1`, `P`, or a `Figure` with alternative text. Stays on one page. */
    say(tag: 'H1' | 'H2' | 'H3' | 'P' | 'Figure', draw: () => void, alt?: string): void {
      const element = doc.struct(tag, alt === undefined ? {} : { alt }, [draw])
      section.add(element)
      element.end()
    },

    /** A section with a bookmark. */
    section(title: string, draw: () => void): void {
      const [outside, outsideOutline] = [section, outline]
      section = doc.struct('Sect', { title })
      outside.add(section)
      outline = outsideOutline.addItem(title)
      draw()
      section.end()
      section = outside
      outline = outsideOutline
    },

    /** A heading, which never ends up alone at the end of a page. */
    heading(title: string, remark: string | undefined, needed: number): void {
      sheet.room(34 + needed)
      sheet.y += 22
      const style = { size: 12, weight: 600, color: greys.text } as const
      outline.addItem(title)
      sheet.say('H2', () => pen.write(title, sheet.left, sheet.y, style))
      if (remark !== undefined) sheet.paragraph(remark, { after: 4 })
      else sheet.y += 8
    },

    paragraph(text: string, { size = 8.5, after = 6, most = 4 } = {}): void {
      const style = { size, color: greys.muted }
      const lines = pen.wrap(text, sheet.width, style, most)
      sheet.room(lines.length * size * 1.45 + after)
      sheet.say('P', () => {
        for (const line of lines) {
          sheet.y += size * 1.45
          pen.write(line, sheet.left, sheet.y, style)
        }
      })
      sheet.y += after
    },

    line(y: number, from = margin, to = width - margin, color: string = greys.line): void {
      doc.moveTo(from, y).lineTo(to, y).lineWidth(0.5).strokeColor(color).stroke()
    },

    /** Closes the open tags. */
    end(): void {
      root.end()
    },
  }
  return sheet
}
