import type { ReportProperty } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { ApiContext } from './operation.ts'

/** The person's property with this name. @throws Refusal 404 */
export async function propertyNamed({ person, services }: ApiContext, name: string): Promise<ReportProperty> {
  const property = await services.sites.reportOn(person, name)
  if (!property) throw new Refusal(404, `${name} is not one of your properties.`, 'property')
  return property
}
