import type { Period } from '../../contract/metrics.ts'
import { safeFileName } from '../platform/file-names.ts'

/** `lumenandloom.example-2026-02-01-2026-02-28.pdf` */
export const reportFileName = (title: string, { start, end }: Period): string =>
  `${safeFileName(title.replace(/^sc-domain:|^https?:\/\//, ''))}-${start}-${end}.pdf`
