import { figure } from '../../../core/alerting/words.ts'
import type { Standing } from '../message.ts'

type Metric = Exclude<keyof Standing, 'current' | 'previous'>

/** A figure of how a property did. A position of 0 is how the dashboard says that none is known. */
export const standingFigure = (metric: Metric, value: number | null): string =>
  value === null || (metric === 'position' && value === 0) ? '–' : figure(metric, value)
