import type { Person, ReportProperty } from '../accounts/service.ts'
import { notYourProperty, Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'

/** The property of a request: the one it names, else the selected one. @throws Refusal 404, 409 if none is selected */
export async function propertyFor(sites: SitesService, person: Person, name: string | undefined): Promise<ReportProperty> {
  const property = await sites.reportOn(person, name)
  if (property) return property
  if (name === undefined) throw new Refusal(409, 'Select a property first.', 'property')
  throw notYourProperty(name)
}
