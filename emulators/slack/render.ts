import { escapeHtml } from '../lib/http.ts'
import type { Block, Button, ImageElement, Text } from './blocks.ts'
import { decodeEntities, parseMrkdwn, type Piece } from './mrkdwn.ts'
import { piecesOf } from './shown.ts'

export const MESSAGE_STYLE = `
.said { margin: .5rem 0; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem 1rem; margin: .5rem 0; }
.split { display: flex; gap: 1rem; justify-content: space-between; align-items: start; }
.context { display: flex; flex-wrap: wrap; gap: .25rem .75rem; color: var(--soft); font-size: .85rem; }
.button { display: inline-block; border: 1px solid var(--line); border-radius: 4px; padding: .25rem .75rem; margin: .25rem .5rem .25rem 0; font-weight: 600; text-decoration: none; white-space: nowrap; }
.primary { background: #007a5a; border-color: #007a5a; color: #fff; } .danger { background: #c01343; border-color: #c01343; color: #fff; }
.mention { background: light-dark(#fdf3d8, #4a3b12); border-radius: 3px; padding: 0 .2em; }
.attachment { border-left: 4px solid var(--line); padding-left: .75rem; margin: .5rem 0; }
img { max-width: 100%; } .context img { height: 1.25rem; } .split img { width: 5.5rem; }
q { quotes: none; display: block; border-left: 4px solid var(--line); padding-left: .75rem; }
`

function link(url: string, text: string, className = ''): string {
  const look = className === '' ? '' : ` class="${className}"`
  return `<a href="${escapeHtml(url)}"${look} target="_blank" rel="noreferrer">${escapeHtml(text)}</a>`
}

function renderPiece(piece: Piece): string {
  switch (piece.kind) {
    case 'text':
      return escapeHtml(piece.text)
    case 'bold':
      return `<strong>${renderPieces(piece.inner)}</strong>`
    case 'italic':
      return `<em>${renderPieces(piece.inner)}</em>`
    case 'strike':
      return `<s>${renderPieces(piece.inner)}</s>`
    case 'quote':
      return `<q>${renderPieces(piece.inner)}</q>`
    case 'code':
      return `<code>${escapeHtml(piece.text)}</code>`
    case 'pre':
      return `<pre><code>${escapeHtml(piece.text)}</code></pre>`
    case 'link':
      return link(piece.url, piece.text)
    case 'mention':
      return `<span class="mention">${escapeHtml(piece.text)}</span>`
    case 'break':
      return '<br>'
  }
}

function renderPieces(pieces: readonly Piece[]): string {
  return pieces.map(renderPiece).join('')
}

export function renderMrkdwn(source: string): string {
  return `<div class="said">${renderPieces(parseMrkdwn(source))}</div>`
}

const renderText = (text: Text): string => renderPieces(piecesOf(text))

function renderButton({ text, url, style }: Button): string {
  const className = style === undefined ? 'button' : `button ${style}`
  return url === undefined ? `<span class="${className}">${renderText(text)}</span>` : link(url, decodeEntities(text.text), className)
}

function renderImage({ image_url, alt_text }: Pick<ImageElement, 'image_url' | 'alt_text'>): string {
  return `<img src="${escapeHtml(image_url)}" alt="${escapeHtml(alt_text)}">`
}

function renderAccessory(element: Button | ImageElement): string {
  return element.type === 'image' ? renderImage(element) : renderButton(element)
}

/** A block roughly as Slack shows it, as HTML with only text, links and images. */
export function renderBlock(block: Block): string {
  switch (block.type) {
    case 'header':
      return `<h2>${renderText(block.text)}</h2>`
    case 'divider':
      return '<hr>'
    case 'section': {
      const fields = (block.fields ?? []).map((field) => `<div>${renderText(field)}</div>`).join('')
      const said =
        (block.text ? `<div class="said">${renderText(block.text)}</div>` : '') +
        (fields === '' ? '' : `<div class="fields">${fields}</div>`)
      return block.accessory ? `<div class="split"><div>${said}</div>${renderAccessory(block.accessory)}</div>` : said
    }
    case 'context': {
      const elements = block.elements.map((each) => (each.type === 'image' ? renderImage(each) : `<span>${renderText(each)}</span>`))
      return `<div class="context">${elements.join('')}</div>`
    }
    case 'actions':
      return `<div>${block.elements.map(renderButton).join('')}</div>`
    case 'image':
      return (block.title ? `<p>${renderText(block.title)}</p>` : '') + renderImage(block)
    case 'markdown':
      return `<pre>${escapeHtml(block.text)}</pre>`
  }
}
