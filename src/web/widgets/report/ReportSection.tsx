import type { ReactNode } from 'react'
import { Card } from '../../ui/Card.tsx'

/**
 * One part of a report. Not a landmark: a report of several properties has each part several times. `level`: one deeper below its
 * property's name.
 */
export function ReportSection({ level, title, description, children }: SectionProps) {
  const Heading = `h${level}` as const
  return (
    <Card className="min-w-0">
      <Heading className="text-base font-semibold print:break-after-avoid">{title}</Heading>
      {description !== undefined && <p className="mt-1 max-w-[70ch] text-muted">{description}</p>}
      <div className="mt-4">{children}</div>
    </Card>
  )
}

/** The heading level of a report's parts. */
export type Level = 2 | 3
type SectionProps = { level: Level; title: string; description?: string | undefined; children: ReactNode }
