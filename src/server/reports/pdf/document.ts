import type { Period } from '../../../contract/metrics.ts'
import type { PeriodicReport, ReportKind } from '../../../contract/reports/periodic.ts'
import type { Paper, ShownBrand } from '../../../contract/reports/reports.ts'

export type PdfDocument = {
  title: string
  /** Null: ours. With a brand, nothing in the file mentions us. */
  brand: ShownBrand | null
  paper: Paper
  kind: ReportKind
  period: Period
  reports: readonly PeriodicReport[]
  /** Properties that belong to it but have incomplete figures. */
  missing: readonly string[]
  /** The report's page, for whoever has the file. */
  link?: string | null
}

/** Input of the drawing thread: the logo has been checked and redrawn. */
export type PdfJob = Omit<PdfDocument, 'brand'> & { brand: { name: string; color: string; logo: Logo | null } | null }
export type Logo = { png: Uint8Array; /** Pixels. */ width: number; height: number }
export type PdfReply = { done: number } | { pdf: Uint8Array } | { failure: string }
