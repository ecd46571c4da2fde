/** What an address may say: by name, either choices, of which the first goes without saying, or any text, by default none. */
export type ViewSpec = Readonly<Record<string, readonly [string, ...string[]] | 'text'>>
export type View<S extends ViewSpec> = { [Name in keyof S]: S[Name] extends readonly string[] ? S[Name][number] : string }

const longestText = 4_096

/** Whatever makes no sense counts as if it were not there. */
export function readView<S extends ViewSpec>(spec: S, params: URLSearchParams): View<S> {
  const read = ([name, kind]: [string, S[string]]): [string, string] => {
    const given = params.get(name)
    if (kind === 'text') return [name, (given ?? '').slice(0, longestText)]
    return [name, kind.find((choice) => choice === given) ?? kind[0]]
  }
  return Object.fromEntries(Object.entries(spec).map((entry) => read(entry as [string, S[string]]))) as View<S>
}

/** The address of a view without what goes without saying; what it says of other things stays. */
export function writeView<S extends ViewSpec>(spec: S, view: View<S>, params: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(params)
  for (const [name, kind] of Object.entries(spec)) {
    const value: string = view[name] ?? ''
    if (value === (kind === 'text' ? '' : kind[0])) written.delete(name)
    else written.set(name, value)
  }
  return written
}
