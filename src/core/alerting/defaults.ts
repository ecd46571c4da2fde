import type {
  Comparison,
  ConditionKind,
  ConditionType,
  Direction,
  Monitor,
  NewCondition,
  Sensitivity,
  ThresholdUnit,
} from '../../contract/alerts/conditions.ts'
import type { SearchType } from '../../contract/common.ts'
import { directionOf } from './rule.ts'

/** A rule's fields, without its property. */
export type Condition = {
  type: ConditionType
  kind: ConditionKind
  title: string
  isEnabled: boolean
  direction: Direction
  onlyUnusual: boolean
  monitor: Monitor
  targets: readonly string[]
  searchType: SearchType
  /** The id of the segment it is limited to. */
  segment: string | null
  threshold: number
  thresholdUnit: ThresholdUnit
  /** Clicks only. */
  comparison: Comparison | null
  /** All other metrics. */
  minimumImpressions: number | null
  /** Smart rules only. */
  sensitivity: Sensitivity | null
}

/** The four threshold rules of SPEC §9, which every property begins with. */
const byType: Record<ConditionType, Condition> = {
  clicks: {
    type: 'clicks',
    kind: 'change',
    title: 'Clicks drop',
    isEnabled: true,
    direction: 'falls',
    onlyUnusual: true,
    monitor: 'top_pages',
    targets: [],
    searchType: 'web',
    segment: null,
    threshold: 15,
    thresholdUnit: '%',
    comparison: 'previous_7_days',
    minimumImpressions: null,
    sensitivity: null,
  },
  ctr: {
    type: 'ctr',
    kind: 'change',
    title: 'CTR drop',
    isEnabled: true,
    direction: 'falls',
    onlyUnusual: true,
    monitor: 'top_queries',
    targets: [],
    searchType: 'web',
    segment: null,
    threshold: 10,
    thresholdUnit: '%',
    comparison: null,
    minimumImpressions: 100,
    sensitivity: null,
  },
  impressions: {
    type: 'impressions',
    kind: 'change',
    title: 'Impressions spike',
    isEnabled: false,
    direction: 'rises',
    onlyUnusual: true,
    monitor: 'new_content',
    targets: [],
    searchType: 'web',
    segment: null,
    threshold: 50,
    thresholdUnit: '%',
    comparison: null,
    minimumImpressions: 50,
    sensitivity: null,
  },
  position: {
    type: 'position',
    kind: 'change',
    title: 'Position drop',
    isEnabled: true,
    direction: 'falls',
    onlyUnusual: true,
    monitor: 'queries',
    targets: [],
    searchType: 'web',
    segment: null,
    threshold: 3,
    thresholdUnit: 'positions',
    comparison: null,
    minimumImpressions: 50,
    sensitivity: null,
  },
}

/** What a smart rule monitors unless told otherwise, and the smallest change that counts (detection/scan.ts, unusual/rates.ts). */
const unusually: Record<ConditionType, Pick<Condition, 'monitor' | 'threshold'>> = {
  clicks: { monitor: 'site', threshold: 11 },
  impressions: { monitor: 'site', threshold: 11 },
  ctr: { monitor: 'top_queries', threshold: 10 },
  position: { monitor: 'all_queries', threshold: 1 },
}

/** Smart rules: whatever differs from what was expected. */
function unusual(type: ConditionType): Condition {
  return {
    ...byType[type],
    ...unusually[type],
    kind: 'unusual',
    title: `Unusual ${type === 'ctr' ? 'CTR' : type}`,
    isEnabled: true,
    direction: type === 'clicks' || type === 'impressions' ? 'both' : 'falls',
    comparison: null,
    minimumImpressions: null,
    sensitivity: 'normal',
  }
}

/** Rules about new and lost rankings. Their threshold is the last position that counts. */
const byKind: Record<Exclude<ConditionKind, 'change'>, Condition> = {
  unusual: unusual('clicks'),
  new_query: { ...byType.position, kind: 'new_query', title: 'New keyword', monitor: 'site', threshold: 10 },
  lost_query: { ...byType.position, kind: 'lost_query', title: 'Lost ranking', monitor: 'top_queries', threshold: 10 },
  new_page: { ...byType.position, kind: 'new_page', title: 'New ranking page', monitor: 'site', threshold: 20 },
}

/** The four rules of SPEC §9, and the smart rule, which needs no threshold. */
export const fourConditions: readonly Condition[] = [byType.clicks, byType.ctr, byType.impressions, byType.position]
export const defaultConditions: readonly Condition[] = [...fourConditions, byKind.unusual]

/** Defaults of a new rule. */
export function defaultOf(type: ConditionType, kind: ConditionKind): Condition {
  if (kind === 'change') return byType[type]
  return kind === 'unusual' ? unusual(type) : byKind[kind]
}

/**
 * Fills in a new rule with the defaults of its type. It starts turned on, since somebody just created it, and reports everything beyond
 * its threshold unless "Only when unusual" is chosen.
 */
export function withDefaults({ type, kind = 'change', ...given }: NewCondition): Condition {
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const usual = defaultOf(type, kind)
  const direction = kind !== 'change' || given.title === undefined ? usual.direction : directionOf(given.title)
  return { ...usual, isEnabled: true, onlyUnusual: kind === 'unusual', direction, type, ...chosen }
}
