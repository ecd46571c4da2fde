import { wrongParam } from './errors.ts'

type Json = Record<string, unknown>

export interface Lookup {
  /** The object with that id, as shown. */
  byId(id: string): Json | undefined
  /** A field that an object has only on request. */
  onDemand(object: Json, field: string): unknown
}

const isHash = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** A copy of a response in which the ids that `expand` names are replaced by their objects. */
export function expanded(answer: object, paths: readonly string[], lookup: Lookup): Json {
  const copy = structuredClone({ ...answer }) as Json
  for (const path of paths) {
    const parts = path.split('.')
    if (parts.length > 4) throw wrongParam(`You cannot expand more than 4 levels of a property (path: ${path}).`, 'expand')
    expandAt(copy, parts, path, lookup)
  }
  return copy
}

function expandAt(node: unknown, parts: readonly string[], path: string, lookup: Lookup): void {
  const [field, ...rest] = parts
  if (field === undefined || !isHash(node)) return
  if (Array.isArray(node)) {
    for (const each of node) expandAt(each, parts, path, lookup)
    return
  }
  if (node[field] === undefined) {
    const made = lookup.onDemand(node, field)
    if (made === undefined) throw wrongParam(`This property cannot be expanded (${path}).`, 'expand')
    node[field] = made
  }
  const value = node[field]
  if (typeof value === 'string') {
    const found = lookup.byId(value)
    if (!found) throw wrongParam(`This property cannot be expanded (${path}).`, 'expand')
    node[field] = found
  }
  expandAt(node[field], rest, path, lookup)
}
