export type FormValue = string | FormValue[] | { [key: string]: FormValue }
export type Form = { [key: string]: FormValue }

/** A tree being parsed: numbered keys may still turn out to be a list. */
type Branch = Map<string, string | Branch>

/** Decodes Stripe's form encoding: `items[0][price]=…&metadata[a]=…&expand[]=…`. */
export function decodeForm(text: string): Form {
  const root: Branch = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    const [head = '', ...rest] = name.split('[')
    put(root, [head, ...rest.map((part) => part.replace(/\]$/, ''))], value)
  }
  return Object.fromEntries([...root].map(([key, value]) => [key, finished(value)]))
}

function put(branch: Branch, [key = '', ...rest]: string[], value: string): void {
  const name = key === '' ? String(branch.size) : key
  if (rest.length === 0) {
    branch.set(name, value)
    return
  }
  const known = branch.get(name)
  const next: Branch = known instanceof Map ? known : new Map()
  branch.set(name, next)
  put(next, rest, value)
}

function finished(value: string | Branch): FormValue {
  if (typeof value === 'string') return value
  const entries = [...value].map(([key, each]) => [key, finished(each)] as const)
  return entries.every(([key]) => /^\d+$/.test(key))
    ? entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, each]) => each)
    : Object.fromEntries(entries)
}
