import type { FastifyRequest } from 'fastify'
import type { IsoDate } from '../../contract/common.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'

/** A property of which complete days are stored. */
export type CompleteProperty = ReportProperty & { completeThrough: IsoDate }

export type AskedPropertyDeps = { sites: SitesService; requirePerson(request: FastifyRequest): Promise<Person> }

/** Finds out which property a request is about: the one named, else the selected one. */
export function askedProperty({ sites, requirePerson }: AskedPropertyDeps) {
  async function ofPerson(person: Person, name: string | undefined): Promise<ReportProperty | null> {
    const property = await sites.reportOn(person, name)
    if (!property && name !== undefined) throw new Refusal(404, `${name} is not one of your properties.`, 'property')
    return property
  }

  return {
    /** Null where none is selected. @throws Refusal 401, 404 */
    any: async (request: FastifyRequest, name: string | undefined): Promise<ReportProperty | null> =>
      ofPerson(await requirePerson(request), name),

    /** With the person who asks; null where none is selected. @throws Refusal 401, 404 */
    async anyOf(request: FastifyRequest, name: string | undefined): Promise<{ person: Person; property: ReportProperty | null }> {
      const person = await requirePerson(request)
      return { person, property: await ofPerson(person, name) }
    },

    /** With the person whose it is. @throws Refusal 401, 404, 409 when none is selected */
    async own(request: FastifyRequest, name: string | undefined): Promise<{ person: Person; property: ReportProperty }> {
      const person = await requirePerson(request)
      const property = await ofPerson(person, name)
      if (!property) throw new Refusal(409, 'Select a property first.', 'property')
      return { person, property }
    },

    /** Null where none is selected, or no complete day of it is stored yet. @throws Refusal 401, 404 */
    async complete(request: FastifyRequest, name: string | undefined): Promise<CompleteProperty | null> {
      const property = await ofPerson(await requirePerson(request), name)
      return property && isComplete(property) ? property : null
    },
  }
}
export type AskedProperty = ReturnType<typeof askedProperty>

export const isComplete = (property: ReportProperty): property is CompleteProperty => property.completeThrough !== null
