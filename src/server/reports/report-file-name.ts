import type { Period } from '../../contract/metrics.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { safeFileName } from '../platform/file-names.ts'

/** `lumenandloom.example-2026-02-01-2026-02-28.pdf` */
export const reportFileName = (title: string, { start, end }: Period): string =>
  `${safeFileName(propertyName(title).replace(/^https?:\/\//, ''))}-${start}-${end}.pdf`
