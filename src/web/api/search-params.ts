/** The parameters of a read, those that are undefined left out. */
export function searchParams(values: Readonly<Record<string, string | number | boolean | undefined>>): URLSearchParams {
  return new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
}
