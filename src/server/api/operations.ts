import type { Operation } from './operation.ts'
import { alertOperations } from './operations/alerts.ts'
import { annotationOperations } from './operations/annotations.ts'
import { conditionOperations } from './operations/conditions.ts'
import { exportOperations } from './operations/exports.ts'
import { figureOperations } from './operations/figures.ts'
import { propertyOperations } from './operations/properties.ts'

/** All API operations, in the reference's order. */
export const operations: readonly Operation[] = [
  ...propertyOperations,
  ...figureOperations,
  ...alertOperations,
  ...conditionOperations,
  ...annotationOperations,
  ...exportOperations,
]
