import type { Property } from '../../contract/user.ts'
import { domainOf, propertyName } from '../../core/accounts/property-name.ts'
import { isReadable } from '../../core/accounts/site-access.ts'
import { MiddleCut } from '../ui/MiddleCut.tsx'

/** The name of a property on one line, with a mark on what is a whole domain. */
export function PropertyName({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={name}>
      <MiddleCut text={propertyName(name)} />
      {domainOf(name) !== null && (
        <>
          {/* Two words, also where they are read aloud. */ ' '}
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

/** The same in plain text, as a control with the name and the mark is called. */
export const spokenProperty = (name: string): string => `${propertyName(name)}${domainOf(name) === null ? '' : ' domain'}`

/** A property where one is chosen, its name in one piece: with "imported" or "no access" where it applies. */
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
