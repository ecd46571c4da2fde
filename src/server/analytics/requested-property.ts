import type { IsoDate } from '../../contract/common.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import { notYourProperty, Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'

/** A property with complete days. */
export type CompleteProperty = ReportProperty & { completeThrough: IsoDate }

/** Resolves the property of a request: the one it names, else the selected one. */
export function requestedProperty(sites: SitesService) {
  /** Null if none is selected. @throws Refusal 404 */
  async function any(person: Person, name: string | undefined): Promise<ReportProperty | null> {
    const property = await sites.reportOn(person, name)
    if (!property && name !== undefined) throw notYourProperty(name)
    return property
  }

  return {
    any,

    /** @throws Refusal 404, 409 if none is selected */
    async own(person: Person, name: string | undefined): Promise<ReportProperty> {
      const property = await any(person, name)
      if (!property) throw new Refusal(409, 'Select a property first.', 'property')
      return property
    },

    /** All of a person's properties, for `?property=all`. */
    all: (person: Person): ReturnType<SitesService['listed']> => sites.listed(person.id),

    /** Null if none is selected or it has no complete day yet. @throws Refusal 404 */
    async complete(person: Person, name: string | undefined): Promise<CompleteProperty | null> {
      const property = await any(person, name)
      return property && isComplete(property) ? property : null
    },
  }
}
export type RequestedProperty = ReturnType<typeof requestedProperty>

export const isComplete = (property: ReportProperty): property is CompleteProperty => property.completeThrough !== null
