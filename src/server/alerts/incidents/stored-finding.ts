import type { Finding } from '../../../core/alerting/evaluate.ts'
import type { Covered } from '../../../core/alerting/muting.ts'
import type { StoredContributor, StoredFigures } from '../../database/alert-tables.ts'
import { toStored } from '../names.ts'

/** `contributors` are shown; `covered` are findings that it explains. */
export type Evidence = { contributors: readonly StoredContributor[]; covered: readonly Covered[]; series: readonly number[] }

/** A finding's figures as alerts store them. */
export const figuresOf = ({
  previous,
  current,
  change,
  windows,
  months,
  days,
  seasonal,
  expected,
  interrupts,
  largest,
}: Finding): StoredFigures => ({
  previous,
  current,
  change,
  windows,
  ...(months !== undefined && { months }),
  ...(days !== undefined && { days }),
  ...(seasonal !== undefined && { seasonal }),
  ...(expected && { expected }),
  ...(interrupts !== undefined && { interrupts }),
  ...(largest !== undefined && { largest }),
})

const named = <T extends { entity: { kind: string; name: string } }>({ entity, ...rest }: T) => ({
  ...rest,
  entity: { ...entity, name: toStored(entity.name) },
})

/** What each evaluation that finds an alert stores with it. */
export const evaluatedBy = (finding: Finding, { contributors, covered, series }: Evidence) => ({
  severity: finding.severity,
  figures: JSON.stringify(figuresOf(finding)),
  contributors: JSON.stringify(contributors.map(named)),
  covered: JSON.stringify(covered.map(named)),
  series: JSON.stringify(series),
})
