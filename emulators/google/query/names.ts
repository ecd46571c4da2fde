import { ApiFailure, invalidArgument } from '../api/errors.ts'

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

/** Finds a name regardless of case and underscores: DATE, searchAppearance and SEARCH_APPEARANCE all work. */
export function oneOf<T extends string>(names: readonly T[], value: unknown, where: string): T {
  const found = typeof value === 'string' ? names.find((name) => plain(name) === plain(value)) : undefined
  if (found === undefined) throw new ApiFailure(invalidArgument(`Invalid value at '${where}', ${JSON.stringify(value)}`))
  return found
}
