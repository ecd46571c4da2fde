import { createElement, Fragment, type ReactNode } from 'react'
import { type MarkupNode, parseMarkup } from '../../lib/alert/alert-markup.ts'
import { Breakable } from './Breakable.tsx'

/** An alert's description. React writes every piece as text, so nothing in it can become more than the tree says. */
export function AlertMarkup({ markup }: { markup: string }) {
  return createElement(Fragment, null, ...parseMarkup(markup).map(element))
}

function element(node: MarkupNode): ReactNode {
  if (typeof node === 'string') return createElement(Breakable, { text: node })
  const { tag, href, children } = node
  const link = href === null ? null : { href, target: '_blank', rel: 'noreferrer', className: 'text-brand underline' }
  return createElement(tag, link, ...children.map(element))
}
