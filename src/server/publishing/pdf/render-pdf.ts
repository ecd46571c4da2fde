import { Worker } from 'node:worker_threads'
import type { PdfDocument, PdfJob, PdfReply } from './document.ts'
import { readLogo } from './logo.ts'

/** Longer than the largest report takes on a slow machine. */
const patienceMs = 120_000

/** Fonts and pages of one report take some 200 MB while it is drawn, so there is one at a time. */
let last: Promise<unknown> = Promise.resolve()

/**
 * A report as a PDF, drawn in a thread of its own.
 * @param onProgress told after each property how many are done
 */
export async function renderReportPdf(
  { brand, ...document }: PdfDocument,
  onProgress: (done: number) => void = () => {},
): Promise<Uint8Array> {
  const logo = brand?.logo ? await readLogo(brand.logo) : null
  const job: PdfJob = { ...document, brand: brand && { name: brand.name, colour: brand.colour, logo } }
  const drawn = last.then(() => drawInThread(job, onProgress))
  last = drawn.catch(() => {})
  return drawn
}

function drawInThread(job: PdfJob, onProgress: (done: number) => void): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 768 },
  })
  const patience = setTimeout(() => reject(new Error(`The report was not drawn in ${patienceMs / 1_000} seconds`)), patienceMs)
  worker.on('message', (reply: PdfReply) => {
    if ('done' in reply) onProgress(reply.done)
    else if ('pdf' in reply) resolve(reply.pdf)
    else reject(new Error(`The report could not be drawn: ${reply.failure}`))
  })
  worker.on('error', reject)
  // Whatever ends it, nobody is to wait for its answer.
  worker.on('exit', (code) => reject(new Error(`The drawing thread ended: exit code ${code}`)))
  return promise.finally(() => {
    clearTimeout(patience)
    return worker.terminate()
  })
}
