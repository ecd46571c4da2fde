/** A URL's parameters by name: a list of choices whose first is the default, or any text, empty by default. */
export type ViewSpec = Readonly<Record<string, readonly [string, ...string[]] | 'text'>>
export type View<S extends ViewSpec> = { [Name in keyof S]: S[Name] extends readonly string[] ? S[Name][number] : string }

/** A link is refused before this, rather than cut. */
const longestText = 8_000

/** Ignores invalid values. */
export function readView<S extends ViewSpec>(spec: S, params: URLSearchParams): View<S> {
  const read = ([name, kind]: [string, S[string]]): [string, string] => {
    const given = params.get(name)
    if (kind === 'text') return [name, (given ?? '').slice(0, longestText)]
    return [name, kind.find((choice) => choice === given) ?? kind[0]]
  }
  return Object.fromEntries(Object.entries(spec).map((entry) => read(entry as [string, S[string]]))) as View<S>
}

/** A view's URL without default values; keeps parameters that aren't the view's. */
export function writeView<S extends ViewSpec>(spec: S, view: View<S>, params: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(params)
  for (const [name, kind] of Object.entries(spec)) {
    const value: string = view[name] ?? ''
    if (value === (kind === 'text' ? '' : kind[0])) written.delete(name)
    else written.set(name, value)
  }
  return written
}
