import type { Property } from '../../contract/user.ts'
import { isReadable } from '../../core/accounts/site-access.ts'

/** A property in a menu, with what is to be known of it before it is chosen. */
export function propertyLabel(property: Property): string {
  if (property.kind === 'imported') return `${property.name} (imported)`
  return isReadable(property) ? property.name : `${property.name} (no access)`
}
