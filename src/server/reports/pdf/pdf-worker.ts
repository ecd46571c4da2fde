import { parentPort } from 'node:worker_threads'
import type { PdfJob, PdfReply } from './document.ts'
import { drawReport } from './draw-report.ts'

// Runs in its own thread (render-pdf.ts): a report of many properties takes seconds, which must not block the thread that serves requests.

const reply = (message: PdfReply, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)

parentPort?.on('message', async (job: PdfJob) => {
  try {
    const pdf = Uint8Array.from(await drawReport(job, (done) => reply({ done })))
    reply({ pdf }, [pdf.buffer])
  } catch (error) {
    reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
