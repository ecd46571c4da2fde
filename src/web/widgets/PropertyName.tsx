import type { Property } from '../../contract/user.ts'
import { isReadable } from '../../core/accounts/site-access.ts'
import { MiddleCut } from '../ui/MiddleCut.tsx'

const domainPrefix = 'sc-domain:'

/** A property as people read it: a domain without Search Console's prefix, and whether it is one. */
export function propertyName(name: string): { text: string; isDomain: boolean } {
  const isDomain = name.startsWith(domainPrefix)
  return { text: isDomain ? name.slice(domainPrefix.length) : name, isDomain }
}

/** The name of a property on one line, with a mark on what is a whole domain. */
export function PropertyName({ name }: { name: string }) {
  const { text, isDomain } = propertyName(name)
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={name}>
      <MiddleCut text={text} />
      {isDomain && (
        <>
          {' '}
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

/** A property where one is chosen, its name in one piece: with "imported" or "no access" where it applies. */
export function PropertyLabel({ property }: { property: Property }) {
  const { text, isDomain } = propertyName(property.name)
  const note = property.kind === 'imported' ? ' (imported)' : isReadable(property) ? '' : ' (no access)'
  return (
    <span title={property.name}>
      {text}
      {note}
      {isDomain && (
        <>
          {' '}
          <DomainMark />
        </>
      )}
    </span>
  )
}
