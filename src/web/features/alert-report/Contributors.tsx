import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { formatMetric } from '../../lib/format.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { AlertChange } from '../../ui/alert/AlertChange.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { CopyableName } from './CopyableName.tsx'

/** Matches if there is room for four columns. */
const wide = '(width >= 40rem)'

type Part = AlertReport['contributors'][number]
type PartView = { kind: Part['entity']['kind']; name: string; before: string; now: string; asAlert: AlertReport }

/** The parts of the change, largest first, compared over the same days. */
export function Contributors({ report }: { report: AlertReport }) {
  const isWide = useMedia(wide)
  const parts = report.contributors.map((part) => partView(report, part))
  if (parts.length === 0) {
    return (
      <SectionCard title="Top contributors">
        <p className="text-muted">
          {report.hours?.status === 'preliminary' ? 'Hourly data is site-wide only.' : nothing[report.entity.kind]}
        </p>
      </SectionCard>
    )
  }
  return (
    <SectionCard title="Top contributors" description={explanation(report)}>
      {isWide ? <PartsTable parts={parts} /> : <PartsList parts={parts} />}
    </SectionCard>
  )
}

/** A part is compared like the alert itself, and so written in the same way. */
function partView(report: AlertReport, { entity, ...figures }: Part): PartView {
  // Same days as the alert, so they aren't repeated for each. The expected value is only known for the whole.
  const { unusual: _unusual, ...compared } = report
  const asAlert = { ...compared, ...figures, current: null, previous: null }
  const figure = (value: number | null) => (value === null ? '–' : formatMetric(report.type, value))
  const { currentValue, previousValue } = figures
  return { kind: entity.kind, name: entity.name, before: figure(previousValue), now: figure(currentValue), asAlert }
}

const words: Record<Part['entity']['kind'], string> = {
  site: 'Site',
  segment: 'Segment',
  page: 'Page',
  query: 'Keyword',
  connection: 'Connection',
}

const nothing: Record<Part['entity']['kind'], string> = {
  site: 'No single page or keyword stands out.',
  segment: 'No single page or keyword stands out.',
  page: 'Google reports no keywords for this page on these days.',
  query: 'Google reports no pages for this keyword on these days.',
  connection: 'Connection alerts have no contributors.',
}

function explanation({ contributors }: AlertReport): string {
  const parts = new Set(contributors.map((part) => part.entity.kind))
  const what = parts.size > 1 ? 'pages and keywords' : parts.has('page') ? 'pages' : 'keywords'
  return `Top contributing ${what} on the same days.${parts.has('query') ? " Anonymized queries aren't included." : ''}`
}

function PartsTable({ parts }: { parts: readonly PartView[] }) {
  return (
    <table className="w-full table-fixed text-sm tabular-nums">
      <caption className="sr-only">Top contributors</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-2 pr-4 text-left font-medium">
            {parts.every(({ kind }) => kind === parts[0]?.kind) && parts[0] ? words[parts[0].kind] : 'Page or keyword'}
          </th>
          <th scope="col" className="w-24 py-2 pr-4 text-right font-medium">
            Previous
          </th>
          <th scope="col" className="w-24 py-2 pr-4 text-right font-medium">
            Current
          </th>
          <th scope="col" className="w-32 py-2 text-right font-medium">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ kind, name, before, now, asAlert }) => (
          <tr key={`${kind} ${name}`} className="border-b border-line last:border-0">
            <th scope="row" className="pr-4 text-left font-normal">
              <CopyableName name={name} />
            </th>
            <td className="pr-4 text-right">{before}</td>
            <td className="pr-4 text-right">{now}</td>
            <td className="text-right empty:before:text-muted empty:before:content-['–']">
              <AlertChange alert={asAlert} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function PartsList({ parts }: { parts: readonly PartView[] }) {
  return (
    <ul aria-label="Top contributors" className="divide-y divide-line text-sm tabular-nums">
      {parts.map(({ kind, name, before, now, asAlert }) => (
        <li key={`${kind} ${name}`} className="py-2 first:pt-0 last:pb-0">
          <CopyableName name={name} />
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <span>
              {before} → {now}
            </span>
            <AlertChange alert={asAlert} />
          </div>
        </li>
      ))}
    </ul>
  )
}
