import type { PeriodicReport } from '../../contract/reports/periodic.ts'

/**
 * Maximum total length of pages' and queries' names in all reports of one client. A name may have 2,048 characters, a report 180
 * names, and a client a hundred reports.
 */
const mostCharacters = 4_000_000
/** Characters kept of each name, even for a client with more properties than a request can name. */
const fewestKept = 40

/** Changes every text in a report that contains names given by somebody else. */
function withTexts(report: PeriodicReport, change: (text: string) => string): PeriodicReport {
  const named = <Row extends { name: string }>(rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row, name: change(row.name) }))
  const listed = ({ top, ...list }: PeriodicReport['pages']) => ({ ...list, top: named(top) })
  const { advanced } = report
  return {
    ...report,
    pages: listed(report.pages),
    keywords: listed(report.keywords),
    advanced: advanced && {
      ...advanced,
      pages: { rising: named(advanced.pages.rising), falling: named(advanced.pages.falling) },
      keywords: { rising: named(advanced.keywords.rising), falling: named(advanced.keywords.falling) },
      opportunities: advanced.opportunities.map((each) => ({ ...each, query: change(each.query), page: change(each.page) })),
      alerts: advanced.alerts.map((each) => ({
        ...each,
        title: change(each.title),
        entity: { ...each.entity, name: change(each.entity.name) },
        why: each.why && change(each.why),
      })),
    },
  }
}

/** Keeps a text's beginning and end, which tell it from others. */
function shortened(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const tail = Math.floor((most - 1) / 3)
  return `${characters.slice(0, most - 1 - tail).join('')}…${characters.slice(characters.length - tail).join('')}`
}

/** A report as one of several of the same client: names are cut only if together they would be too long. */
export function withBoundedNames(report: PeriodicReport, reports: number): PeriodicReport {
  const most = Math.floor(mostCharacters / Math.max(1, reports))
  let [characters, texts] = [0, 0]
  withTexts(report, (text) => {
    characters += text.length
    texts += 1
    return text
  })
  if (characters <= most) return report
  const longest = Math.max(fewestKept, Math.floor(most / texts))
  return withTexts(report, (text) => shortened(text, longest))
}
