import type { ReportClient, ReportSubject } from '../../../../contract/publishing.ts'
import type { Property } from '../../../../contract/user.ts'

type SubjectChoice = { value: string; label: string; subject: ReportSubject }

export const subjectKey = (subject: ReportSubject): string =>
  'client' in subject ? `client ${subject.client}` : `property ${subject.property}`

/** Clients first, as who has some reports on them. */
export function subjectChoices(clients: readonly ReportClient[], properties: readonly Property[]): SubjectChoice[] {
  const named: { label: string; subject: ReportSubject }[] = [
    ...clients.map(({ id, name }) => ({ label: `${name} (client)`, subject: { client: id } })),
    ...properties.filter(({ monitored }) => monitored).map(({ name }) => ({ label: name, subject: { property: name } })),
  ]
  return named.map((each) => ({ ...each, value: subjectKey(each.subject) }))
}
