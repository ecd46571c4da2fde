import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../../lib/http.ts'

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' } as const

/** What is served under /v3/, and its source files. */
const ASSETS: Readonly<Record<string, { readonly files: readonly string[]; readonly type: keyof typeof TYPES }>> = {
  'stripe.js': { files: ['elements.js', 'stripe.js'], type: 'js' },
  'payment-element.js': { files: ['payment-element.js'], type: 'js' },
  'card-fields.js': { files: ['card-fields.js'], type: 'js' },
  'challenge.js': { files: ['challenge.js'], type: 'js' },
  'payment-element.css': { files: ['payment-element.css'], type: 'css' },
  'pages.css': { files: ['pages.css'], type: 'css' },
  'icon.svg': { files: ['icon.svg'], type: 'svg' },
}

const directory = join(import.meta.dirname, '..', 'browser')

/** A script or style of the stand-in, or undefined. */
export function assetReply(name: string): Reply | undefined {
  const asset = ASSETS[name]
  if (!asset) return undefined
  const texts = asset.files.map((file) => readFileSync(join(directory, file), 'utf8'))
  const body = texts.length > 1 ? classicScript(texts) : texts.join('')
  return {
    status: 200,
    body,
    headers: { 'content-type': TYPES[asset.type], 'cache-control': 'no-cache', 'access-control-allow-origin': '*' },
  }
}

/** Combines modules, each after those it imports, into one classic script like Stripe's. */
function classicScript(modules: readonly string[]): string {
  const plain = modules.map((text) => text.replaceAll(/^import .*$/gm, '').replaceAll(/^export /gm, ''))
  return `;(() => {\n'use strict'\n${plain.join('\n')}\n})()\n`
}
