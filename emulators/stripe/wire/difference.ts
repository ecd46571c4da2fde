type Json = Record<string, unknown>

const isHash = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * An object's previous state, as in `previous_attributes` of Stripe's events: only what changed, hashes reduced to the changed keys, whole
 * lists, keys that didn't exist as null. Undefined: nothing changed.
 */
export function previousAttributes(before: Json, after: Json): Json | undefined {
  const changed: Json = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    changed[key] = isHash(was) && isHash(is) ? (previousAttributes(was, is) ?? was) : (was ?? null)
  }
  return Object.keys(changed).length > 0 ? changed : undefined
}
