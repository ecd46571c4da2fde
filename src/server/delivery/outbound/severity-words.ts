import type { Severity } from '../../../contract/alerts.ts'

/** As the screens call them. */
export const severityWords: Record<Severity, string> = { critical: 'Critical', warning: 'Warning', info: 'Info', positive: 'Positive' }
