import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SectionCard } from '../../../ui/Card.tsx'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CutLink } from '../CutLink.tsx'

type Level = 'High' | 'Medium' | 'Low'

/** Red, yellow and green (SPEC §2); the word says it too. */
const impactTones = { High: 'critical', Medium: 'warning', Low: 'positive' } as const satisfies Record<Level, string>

export type Example = { full: string; text: string; most: number; to: string; figure: string }

type RecommendationCardProps = {
  title: string
  impact: Level
  effort: Level
  /** What to do, and why. */
  action: string
  /** What to do it with; null while that is not known. */
  examples: readonly Example[] | null
  isOutdated?: boolean
  /** Tries again what could not be loaded. */
  failed?: (() => void) | null
  /** In the place of the examples when there are none. */
  none: string
}

export function RecommendationCard({ title, impact, effort, action, isOutdated = false, ...rest }: RecommendationCardProps) {
  return (
    <SectionCard title={title}>
      <div className="-mt-2 mb-3 flex flex-wrap gap-1.5">
        <Badge tone={impactTones[impact]}>Impact: {impact}</Badge>
        <Badge>Effort: {effort}</Badge>
      </div>
      <p className="max-w-[70ch] text-muted">{action}</p>
      <Dimmed when={isOutdated} className="mt-3 min-h-30 lg:min-h-24">
        <Examples title={title} {...rest} />
      </Dimmed>
    </SectionCard>
  )
}

function Examples({ title, examples, failed, none }: Pick<RecommendationCardProps, 'title' | 'examples' | 'failed' | 'none'>) {
  if (failed) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p>Unable to load this list.</p>
        <Button onClick={failed}>Try again</Button>
      </div>
    )
  }
  if (examples === null) return <Skeleton className="h-24" />
  if (examples.length === 0) return <p>{none}</p>
  return (
    <ul aria-label={title} className="divide-y divide-line border-t border-line">
      {examples.map(({ figure, ...link }) => (
        <li key={link.full} className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <CutLink {...link} />
          </div>
          <span className="text-sm whitespace-nowrap text-muted tabular-nums">{figure}</span>
        </li>
      ))}
    </ul>
  )
}
