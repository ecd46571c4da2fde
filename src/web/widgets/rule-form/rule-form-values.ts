import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'
import { z } from 'zod'
import {
  conditionChange,
  type ConditionKind,
  type ConditionType,
  type Direction,
  type NewCondition,
} from '../../../contract/alerts/conditions.ts'
import { type Condition, defaultOf } from '../../../core/alerting/defaults.ts'
import { monitorOptions, noSegment } from '../../../core/alerting/options.ts'
import { directionOf } from '../../../core/alerting/rule.ts'
import { fieldsOf, percentFields, ruleFields, type RuleValues, valuesOf } from './rule-values.ts'

/** What a rule can be about: a figure that changes, one that is unusual, or something new or gone among the top positions. */
export const abouts = z.enum([
  'clicks',
  'ctr',
  'impressions',
  'position',
  'unusual_clicks',
  'unusual_impressions',
  'unusual_ctr',
  'unusual_position',
  'new_query',
  'lost_query',
  'new_page',
])
export type About = z.infer<typeof abouts>

const aboutLabels: Record<About, string> = {
  clicks: 'Clicks',
  ctr: 'CTR',
  impressions: 'Impressions',
  position: 'Position',
  unusual_clicks: 'Unusual clicks',
  unusual_impressions: 'Unusual impressions',
  unusual_ctr: 'Unusual CTR',
  unusual_position: 'Unusual positions',
  new_query: 'New keywords',
  lost_query: 'Lost rankings',
  new_page: 'New ranking pages',
}
export const aboutChoices = abouts.options.map((value) => ({ value, label: aboutLabels[value] }))

export function typeOf(of: About): { type: ConditionType; kind: ConditionKind } {
  switch (of) {
    case 'clicks':
    case 'ctr':
    case 'impressions':
    case 'position':
      return { type: of, kind: 'change' }
    case 'unusual_clicks':
      return { type: 'clicks', kind: 'unusual' }
    case 'unusual_impressions':
      return { type: 'impressions', kind: 'unusual' }
    case 'unusual_ctr':
      return { type: 'ctr', kind: 'unusual' }
    case 'unusual_position':
      return { type: 'position', kind: 'unusual' }
    case 'new_query':
    case 'lost_query':
    case 'new_page':
      return { type: 'position', kind: of }
  }
}

/** The defaults for a rule's subject. */
export const defaultAbout = (of: About): Condition => {
  const { type, kind } = typeOf(of)
  return defaultOf(type, kind)
}

/** The form about something else, with its defaults, except for a chosen subject and direction that it can have, too. */
export function aboutChanged(values: RuleFormValues, about: About): RuleFormValues {
  const { title, isEnabled, searchType, onlyUnusual, monitor, targets } = values
  const [was, usual] = [defaultAbout(values.about), defaultAbout(about)]
  const isChosen = monitor !== was.monitor || targets !== ''
  const keepsMonitor = isChosen && monitorOptions(usual).some(({ value }) => value === monitor)
  const of = keepsMonitor ? { monitor, targets } : { monitor: usual.monitor, targets: '' }
  return {
    ...formOf(usual),
    ...of,
    title,
    about,
    isEnabled,
    searchType,
    segment: noSegment({ ...usual, ...of }) === null ? values.segment : null,
    onlyUnusual: usual.kind === 'unusual' || onlyUnusual,
    direction:
      hasDirection(was) && hasDirection(usual) && values.direction !== directionUnlessChosen(was, title)
        ? values.direction
        : directionUnlessChosen(usual, title),
  }
}

const hasDirection = ({ kind }: Condition): boolean => kind === 'change' || kind === 'unusual'

const directionUnlessChosen = ({ kind, direction }: Condition, title: string): Direction =>
  kind === 'unusual' ? direction : directionOf(title)

const own = { title: conditionChange.shape.title.unwrap(), about: abouts }
const positionsForm = ruleFields.extend(own)
const percentForm = percentFields.extend(own)

/** The values of the form for one rule. */
export type RuleFormValues = RuleValues & { title: string; about: About }

const [checkPositions, checkPercent] = [zodResolver(positionsForm), zodResolver(percentForm)]

/** A percentage has other limits than a number of positions (SPEC §5). */
export const checkRuleForm: Resolver<RuleFormValues> = (values, context, options) =>
  (defaultAbout(values.about).thresholdUnit === '%' ? checkPercent : checkPositions)(values, context, options)

export const formOf = (condition: Condition): RuleFormValues => ({
  ...valuesOf(condition),
  title: condition.title,
  about: aboutOf(condition),
})

const aboutOf = ({ type, kind }: Condition): About =>
  abouts.options.find((about) => typeOf(about).type === type && typeOf(about).kind === kind) ?? 'clicks'

/** The body of `POST /api/alert-conditions`. */
export function newConditionOf({ about: of, ...values }: RuleFormValues): NewCondition {
  return { ...typeOf(of), ...fieldsOf(values) }
}

/** Fields that may have invalid input, with a place for the error. */
export const ruleFormFields = ['title', 'targets', 'searchType', 'segment', 'threshold', 'minimumImpressions'] as const
