import type { Property } from '../../contract/user.ts'

type Access = Pick<Property, 'kind' | 'permissionLevel'>

/** Whether a property is readable, as far as known: Google gives its account access, or it has uploaded files. */
export const isReadable = ({ kind, permissionLevel }: Access): boolean =>
  kind === 'imported' || (permissionLevel !== null && permissionLevel !== 'siteUnverifiedUser')

/** Whether it can be selected. Monitored ones always can: their figures are still there to see. */
export const isChoosable = (property: Access & Pick<Property, 'monitored'>): boolean => property.monitored || isReadable(property)

const mostNamed = 5

/** Why these can't be selected, and what to do. */
export function noAccessWords(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  return `Your Google account has no access to ${names.slice(0, mostNamed).join(', ')}${more}. Verify ownership in Search Console or ask an owner to add you, then try again.`
}
