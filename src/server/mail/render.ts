import { type FormatCallback, compile } from 'html-to-text'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Draft } from './layout.ts'

export type Composed = { subject: string; html: string; text: string }

const doctype = '<!DOCTYPE html>'

/** Images are described by their label. */
const label: FormatCallback = (elem, _walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addInline(String(elem.attribs?.['aria-label'] ?? ''))
  builder.closeBlock({ trailingLineBreaks: 2 })
}

const heading = { format: 'heading', options: { uppercase: false, leadingLineBreaks: 3, trailingLineBreaks: 2 } } as const

const toText = compile({
  // Mail programs break lines better: they know their width.
  wordwrap: false,
  formatters: { label },
  selectors: [
    { selector: '[data-skip-in-text=true]', format: 'skip' },
    // Its URL follows as text.
    { selector: 'a.button', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', ...heading },
    { selector: 'h3', ...heading },
    { selector: 'table.facts', format: 'dataTable', options: { colSpacing: 2 } },
    { selector: 'table.figures', format: 'dataTable', options: { colSpacing: 2, uppercaseHeaderCells: false, maxColumnWidth: 100 } },
    { selector: '.badge', format: 'inlineSurround', options: { suffix: ':' } },
    { selector: '[role=img]', format: 'label' },
  ],
})

/** An email as sent: HTML, and the same as text. */
export function render({ subject, mail }: Draft): Composed {
  const html = doctype + renderToStaticMarkup(mail)
  return { subject, html, text: `${toText(html)}\n` }
}
