import { generatePath, Link } from 'react-router'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { alertValues } from '../../lib/alert/alert-view.ts'
import { useColorBy } from '../../lib/color-by.ts'
import { describeChange } from '../../lib/alert/describe-change.ts'
import { paths } from '../../paths.ts'
import { SeverityBadge } from '../../ui/alert/AlertBadges.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ChangeMark } from '../../ui/ChangeMark.tsx'

/** What else was found of the same cause; each has a report of its own. */
export function Findings({ findings, more }: { findings: NonNullable<AlertReport['findings']>; more: number }) {
  const by = useColorBy()
  return (
    <SectionCard title="Same cause" description="Other rules found these changes too. They are part of this alert.">
      <ul className="divide-y divide-line text-sm">
        {findings.map((finding) => {
          const values = alertValues(finding)
          return (
            <li key={finding.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 first:pt-0 last:pb-0">
              <SeverityBadge severity={finding.severity} />
              <Link
                to={generatePath(paths.alertReport, { id: finding.id })}
                className="min-w-0 flex-1 basis-56 font-medium wrap-anywhere hover:underline"
              >
                {finding.title}
              </Link>
              {values !== null && (
                <span className="text-muted tabular-nums">
                  {values.previous === null ? values.current : `${values.previous} → ${values.current}`}
                </span>
              )}
              {finding.change !== null && <ChangeMark change={describeChange(finding.type, finding.change, by)} />}
              {finding.state === 'recovered' && <span className="text-muted">Recovered</span>}
            </li>
          )
        })}
        {more > 0 && <li className="pt-2.5 text-muted">and {more} more</li>}
      </ul>
    </SectionCard>
  )
}
