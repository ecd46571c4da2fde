import { type BrandInForce, shownBrand } from './brands.ts'
import type { PdfDocument } from './pdf/document.ts'

type ToDraw = Omit<PdfDocument, 'brand'> & { brand: BrandInForce | null }

/** A report as a PDF. The drawing code is loaded with the first one. */
export async function drawPdf({ brand, ...about }: ToDraw, onProgress?: (done: number) => void): Promise<Uint8Array> {
  const { renderReportPdf } = await import('./pdf/render-pdf.ts')
  return renderReportPdf({ ...about, brand: brand && shownBrand(brand) }, onProgress)
}
