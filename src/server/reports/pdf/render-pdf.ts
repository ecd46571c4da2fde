import { Worker } from 'node:worker_threads'
import type { PdfDocument, PdfJob, PdfReply } from './document.ts'
import { readLogo } from './logo.ts'

/** More than the largest report takes on a slow machine. */
const patienceMs = 120_000

/** One at a time, as a report's fonts and pages take some 200 MB while it is drawn. */
let last: Promise<unknown> = Promise.resolve()

/** How long an idle thread waits for the next report: starting one takes longer than drawing three pages. */
const restMs = 10_000
let resting: Worker | null = null
let leaving: NodeJS.Timeout | undefined

/**
 * Renders a report as a PDF in its own thread.
 * @param onProgress called after each property with the number done
 */
export async function renderReportPdf(
  { brand, ...document }: PdfDocument,
  onProgress: (done: number) => void = () => {},
): Promise<Uint8Array> {
  const logo = brand?.logo ? await readLogo(brand.logo) : null
  const job: PdfJob = { ...document, brand: brand && { name: brand.name, color: brand.color, logo } }
  const drawn = last.then(() => drawInThread(job, onProgress))
  last = drawn.catch(() => {})
  return drawn
}

/** Draws in an idle thread or a new one; a failed thread isn't reused. */
async function drawInThread(job: PdfJob, onProgress: (done: number) => void): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const worker = resting ?? startThread()
  resting = null
  clearTimeout(leaving)
  worker.ref()
  const patience = setTimeout(() => reject(new Error(`The report was not rendered within ${patienceMs / 1_000} seconds`)), patienceMs)
  const onMessage = (reply: PdfReply): void => {
    if ('done' in reply) onProgress(reply.done)
    else if ('pdf' in reply) resolve(reply.pdf)
    else reject(new Error(`The report could not be rendered: ${reply.failure}`))
  }
  // However it ended, nobody should keep waiting for its answer.
  const onExit = (code: number): void => reject(new Error(`The rendering thread ended: exit code ${code}`))
  worker.on('message', onMessage).on('error', reject).on('exit', onExit)
  worker.postMessage(job)
  try {
    const pdf = await promise
    worker.off('message', onMessage).off('error', reject).off('exit', onExit)
    rest(worker)
    return pdf
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    clearTimeout(patience)
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 768 },
  })
  // Also while it is idle and nobody else listens.
  const gone = (): void => {
    if (resting === worker) resting = null
  }
  return worker.on('error', gone).on('exit', gone)
}

/** An idle thread ends after a while, and doesn't keep the process alive. */
function rest(worker: Worker): void {
  resting = worker
  worker.unref()
  leaving = setTimeout(() => {
    resting = null
    void worker.terminate()
  }, restMs).unref()
}
