/** Leaves strings, quoted names and comments alone; any other `{name: Type}` is a parameter. */
const TOKENS =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\{\s*([A-Za-z_]\w*)\s*:\s*([^{}]+?)\s*\}/g

/**
 * Writes `query_params` into the SQL as typed constants, like ClickHouse itself does with `{name: Type}`.
 *
 * chDB's own binding runs one parameterized query at a time in the whole process (its engine mixes up concurrent queries' parameters);
 * constants have no such limit. Every value is quoted and cast, so none of it is read as SQL.
 * @throws Error if a parameter has no value or a value has no SQL form
 */
export function bindParameters(sql: string, values: Readonly<Record<string, unknown>> = {}): string {
  return sql.replace(TOKENS, (token: string, name: string | undefined, type: string | undefined) => {
    if (name === undefined || type === undefined) return token
    if (!Object.hasOwn(values, name) || values[name] === undefined) throw new Error(`Query parameter ${name} has no value`)
    const value = values[name]
    if (type === 'Identifier') return `\`${escape(String(value), '`')}\``
    return `CAST(${literal(value)}, ${quote(type)})`
  })
}

/** A setting's value as SQL. */
export function settingLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'number' ? String(value) : quote(String(value))
}

function literal(value: unknown): string {
  if (value === null) return 'NULL'
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return quote(Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf')
    case 'bigint':
      return quote(String(value))
    case 'boolean':
      return String(value)
    case 'object':
      return compound(value)
    default:
      throw new Error(`A query parameter cannot be a ${typeof value}`)
  }
}

function compound(value: object): string {
  // An instant, independent of the engine's time zone.
  if (value instanceof Date) return `fromUnixTimestamp64Milli(${value.getTime()}, 'UTC')`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return `map(${entries.flat().map(literal).join(', ')})`
}

function quote(text: string): string {
  return `'${escape(text, "'")}'`
}

function escape(text: string, delimiter: string): string {
  // The engine receives the statement as a C string, which a null byte would end.
  return text.replaceAll('\\', '\\\\').replaceAll(delimiter, `\\${delimiter}`).replaceAll('\0', '\\0')
}
