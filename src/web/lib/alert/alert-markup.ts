/** Elements allowed in an alert's description (OPEN-POINTS 13). */
export type MarkupTag = 'b' | 'strong' | 'em' | 'i' | 'code' | 'a'
export type MarkupNode = string | MarkupElement
export type MarkupElement = { tag: MarkupTag; href: string | null; children: MarkupNode[] }

const tags = /<(\/?)(strong|code|em|b|i|a)(\s[^<>]*)?>/gi
const hrefAttribute = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i

/**
 * Text with allow-listed markup, as a tree. Keeps no attribute except a link's URL; anything not on the list, links outside the web and
 * unmatched end tags stay as they are: text.
 */
export function parseMarkup(markup: string): MarkupNode[] {
  const root: MarkupNode[] = []
  const open: MarkupElement[] = []
  const add = (node: MarkupNode) => {
    if (node !== '') (open.at(-1)?.children ?? root).push(node)
  }
  let end = 0
  for (const match of markup.matchAll(tags)) {
    add(decode(markup.slice(end, match.index)))
    end = match.index + match[0].length
    const tag = tagOf(match[2])
    if (match[1] === '/') {
      if (open.at(-1)?.tag === tag) open.pop()
      else add(match[0])
      continue
    }
    const href = tag === 'a' ? addressIn(match[3] ?? '') : null
    if (tag === null || (tag === 'a' && href === null)) add(match[0])
    else {
      const element: MarkupElement = { tag, href, children: [] }
      add(element)
      open.push(element)
    }
  }
  add(decode(markup.slice(end)))
  return root
}

function tagOf(name = ''): MarkupTag | null {
  const tag = name.toLowerCase()
  return tag === 'b' || tag === 'strong' || tag === 'em' || tag === 'i' || tag === 'code' || tag === 'a' ? tag : null
}

function addressIn(attributes: string): string | null {
  const [, double, single, bare] = hrefAttribute.exec(attributes) ?? []
  const href = decode(double ?? single ?? bare ?? '')
  return /^https?:\/\//i.test(href) ? href : null
}

const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const decode = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
