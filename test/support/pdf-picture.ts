import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'

const pdfjs = fileURLToPath(import.meta.resolve('unpdf/pdfjs'))
const place = 'https://pdf.example/'

/** Renders a PDF's first page in Chromium, this many CSS pixels wide; returns a PNG with twice as many. */
export async function pictureOfPdf(chromium: Browser, pdf: Uint8Array, width: number): Promise<Buffer> {
  const context = await chromium.newContext({ deviceScaleFactor: 2, viewport: { width, height: width } })
  const page = await context.newPage()
  // Nothing comes over the network: its three files are served here.
  await page.route(`${place}**`, async (route) => {
    const name = new URL(route.request().url()).pathname
    if (name === '/pdfjs.mjs') return route.fulfill({ contentType: 'text/javascript', body: await readFile(pdfjs, 'utf8') })
    if (name === '/report.pdf') return route.fulfill({ contentType: 'application/pdf', body: Buffer.from(pdf) })
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><body style="margin:0"><canvas></canvas>' })
  })
  await page.goto(place)
  await page.addScriptTag({
    type: 'module',
    content: `
      import { getDocument } from '/pdfjs.mjs'
      const data = new Uint8Array(await (await fetch('/report.pdf')).arrayBuffer())
      const page = await (await getDocument({ data, isEvalSupported: false }).promise).getPage(1)
      const viewport = page.getViewport({ scale: (2 * ${width}) / page.getViewport({ scale: 1 }).width })
      const canvas = document.querySelector('canvas')
      canvas.width = viewport.width
      canvas.height = viewport.height
      canvas.style.width = '${width}px'
      canvas.style.display = 'block'
      await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise
      document.body.dataset.drawn = 'yes'`,
  })
  await page.locator('body[data-drawn]').waitFor()
  const picture = await page.locator('canvas').screenshot()
  await context.close()
  return picture
}
