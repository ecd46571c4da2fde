import type { Property } from '../../contract/user.ts'
import { domainOf, propertyName } from '../../core/accounts/property-name.ts'
import { isReadable } from '../../core/accounts/site-access.ts'
import { MiddleCut } from '../ui/MiddleCut.tsx'

/** A property's name on one line, with a mark for whole domains. */
export function PropertyName({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={name}>
      <MiddleCut text={propertyName(name)} />
      {domainOf(name) !== null && (
        <>
          {/* Two words, also when read aloud. */ ' '}
          <DomainMark />
        </>
      )}
    </span>
  )
}

const DomainMark = () => (
  <span
    data-domain
    className="shrink-0 rounded-sm border border-line px-1 text-[0.6875rem]/4 font-normal text-muted"
    title="Domain property"
  >
    domain
  </span>
)

/** Same as plain text, for the names of controls. */
export const spokenProperty = (name: string): string => `${propertyName(name)}${domainOf(name) === null ? '' : ' domain'}`

/** A property in a selection, with its name in one piece: marked as "imported" or "no access" if so. */
export function PropertyLabel({ property }: { property: Property }) {
  const note = property.kind === 'imported' ? ' (imported)' : isReadable(property) ? '' : ' (no access)'
  return (
    <span title={property.name}>
      {propertyName(property.name)}
      {note}
      {domainOf(property.name) !== null && (
        <>
          {' '}
          <DomainMark />
        </>
      )}
    </span>
  )
}
