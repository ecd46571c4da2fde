import type { Property } from '../../contract/user.ts'

type Access = Pick<Property, 'kind' | 'permissionLevel'>

/** Whether a property can be read as far as is known: Google gives its account access, or it holds uploaded files. */
export const isReadable = ({ kind, permissionLevel }: Access): boolean =>
  kind === 'imported' || (permissionLevel !== null && permissionLevel !== 'siteUnverifiedUser')

/** Whether it can be chosen. One that is watched stays so: its figures are still there to be looked at. */
export const isChoosable = (property: Access & Pick<Property, 'monitored'>): boolean => property.monitored || isReadable(property)

const mostNamed = 5

/** Why these cannot be chosen, and what to do. */
export function noAccessWords(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  return `Your Google account has no access to ${names.slice(0, mostNamed).join(', ')}${more}. Verify ownership in Search Console or ask an owner to add you, then try again.`
}
