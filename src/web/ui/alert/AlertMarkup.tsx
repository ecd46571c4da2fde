import { createElement, Fragment, type ReactNode } from 'react'
import { type MarkupNode, parseMarkup } from '../../lib/alert/alert-markup.ts'
import { Breakable } from './Breakable.tsx'

/** An alert's description. React writes every piece as text, so nothing in it can become more than the tree says. */
export function AlertMarkup({ markup }: { markup: string }) {
  return createElement(Fragment, null, ...parseMarkup(markup).map(element))
}

function element(node: MarkupNode): ReactNode {
  if (typeof node === 'string') return createElement(Fragment, null, ...node.split(days).map(piece))
  const { tag, href, children } = node
  const link = href === null ? null : { href, target: '_blank', rel: 'noreferrer', className: 'text-brand underline' }
  return createElement(tag, link, ...children.map(element))
}

/** `3–9 Mar`, `27 Oct 2025–2 Nov`: on one line. */
const days = /(\d[\w ]{0,10}–\d+ \w{3})/

const piece = (text: string, at: number): ReactNode =>
  at % 2 ? createElement('span', { className: 'whitespace-nowrap' }, text) : createElement(Breakable, { text })
