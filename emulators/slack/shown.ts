import type { Block, Text } from './blocks.ts'
import { parseMrkdwn, type Piece, decodeEntities } from './mrkdwn.ts'
import type { Content } from './payload.ts'

/** What people see of a message, for tests about its content rather than its markup. */
export interface Shown {
  readonly text: string
  readonly links: readonly { readonly url: string; readonly text: string }[]
  /** Who is notified: nobody unless the message asks for it. */
  readonly mentions: readonly string[]
}

export function piecesOf(text: Text): readonly Piece[] {
  return text.type === 'mrkdwn' ? parseMrkdwn(text.text) : [{ kind: 'text', text: decodeEntities(text.text) }]
}

/** Collects what the parts of a message show. */
class Collector {
  readonly lines: string[] = []
  readonly links: { url: string; text: string }[] = []
  readonly mentions: string[] = []

  text(text: Text): void {
    this.pieces(piecesOf(text))
  }

  pieces(pieces: readonly Piece[]): void {
    this.lines.push(pieces.map((piece) => this.#piece(piece)).join(''))
  }

  link(url: string, text: string): string {
    this.links.push({ url, text })
    return text
  }

  #piece(piece: Piece): string {
    switch (piece.kind) {
      case 'text':
      case 'code':
      case 'pre':
        return piece.text
      case 'break':
        return '\n'
      case 'link':
        return this.link(piece.url, piece.text)
      case 'mention':
        this.mentions.push(piece.text)
        return piece.text
      case 'bold':
      case 'italic':
      case 'strike':
      case 'quote':
        return piece.inner.map((each) => this.#piece(each)).join('')
    }
  }
}

function collectBlock(into: Collector, block: Block): void {
  switch (block.type) {
    case 'header':
      return into.text(block.text)
    case 'section':
      if (block.text) into.text(block.text)
      for (const field of block.fields ?? []) into.text(field)
      if (block.accessory?.type === 'image') into.lines.push(block.accessory.alt_text)
      else if (block.accessory) collectButton(into, block.accessory)
      return
    case 'context':
      for (const each of block.elements) {
        if (each.type === 'image') into.lines.push(each.alt_text)
        else into.text(each)
      }
      return
    case 'actions':
      for (const each of block.elements) collectButton(into, each)
      return
    case 'image':
      if (block.title) into.text(block.title)
      into.lines.push(block.alt_text)
      return
    case 'markdown':
      into.lines.push(block.text)
      return
    case 'divider':
  }
}

function collectButton(into: Collector, button: { readonly text: Text; readonly url?: string | undefined }): void {
  const label = decodeEntities(button.text.text)
  into.lines.push(button.url === undefined ? label : into.link(button.url, label))
}

/** Blocks replace the text, which then only serves notifications. */
export function shownOf({ text, blocks, attachments }: Content): Shown {
  const into = new Collector()
  if (blocks.length === 0 && text !== '') into.pieces(parseMrkdwn(text))
  for (const block of blocks) collectBlock(into, block)
  for (const each of attachments) {
    if (each.blocks.length === 0) into.pieces(parseMrkdwn(each.text))
    for (const block of each.blocks) collectBlock(into, block)
  }
  return { text: into.lines.join('\n'), links: into.links, mentions: into.mentions }
}
