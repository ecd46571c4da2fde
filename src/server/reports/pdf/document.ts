import type { Period } from '../../../contract/metrics.ts'
import type { PeriodicReport, ReportKind } from '../../../contract/reports/periodic.ts'
import type { Paper, ShownBrand } from '../../../contract/reports/reports.ts'

export type PdfDocument = {
  title: string
  /** Null: ours. With one, nothing in the file tells of us. */
  brand: ShownBrand | null
  paper: Paper
  kind: ReportKind
  period: Period
  reports: readonly PeriodicReport[]
  /** Properties that belong to it but whose figures are not complete. */
  missing: readonly string[]
  /** Where the report is on screen, for whoever has the file. */
  link?: string | null
}

/** What the thread that draws is given: the logo has been tried and drawn anew. */
export type PdfJob = Omit<PdfDocument, 'brand'> & { brand: { name: string; colour: string; logo: Logo | null } | null }
export type Logo = { png: Uint8Array; /** Pixels. */ width: number; height: number }
export type PdfReply = { done: number } | { pdf: Uint8Array } | { failure: string }
