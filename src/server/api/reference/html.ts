/** Markup to insert unescaped. */
export type Html = { html: string }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)

type Part = string | number | Html | null | false | readonly Html[]

const markupOf = (part: Part): string => {
  if (part === null || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map(({ html: each }) => each).join('')
}

/** Markup with escaped values, except for those that are markup. */
export const html = (text: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: text.map((piece, index) => piece + markupOf(parts[index] ?? null)).join(''),
})

/** Prose with code between backticks. */
export const prose = (text: string): Html => ({
  html: text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? `<code>${escaped(piece)}</code>` : escaped(piece)))
    .join(''),
})

/** A code block that can be scrolled by keyboard. */
export const codeBlock = (label: string, code: string): Html =>
  html`<figure class="code">
    <figcaption>${label}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`
