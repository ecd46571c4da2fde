import { logoLimits } from '../../contract/reports/reports.ts'
import { Refusal } from '../common/errors.ts'
import { createFairShare, TooManyRequests } from '../platform/fair-share.ts'
import { tenantNow } from '../platform/tenant.ts'

const wrong = 'The logo must be a PNG, JPEG or WebP image.'
const damaged = "This image is damaged and can't be read. Save it again and retry."
/** Longer than drawing the largest allowed image takes. */
const patienceSeconds = 10
/** One at a time: a file of less than a megabyte can unpack to a picture that takes 160 MB. */
const drawing = createFairShare({ places: 1, perTenant: 1, waitingPerTenant: 2 })

/** Checks a file's first bytes, whatever its name; nothing else gets near a decoder. */
function isPicture(bytes: Buffer): boolean {
  const starts = (...values: number[]) => values.every((value, at) => bytes[at] === value)
  const isPng = starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const isJpeg = starts(0xff, 0xd8, 0xff)
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isPng || isJpeg || isWebp
}

/**
 * A logo as stored: a PNG redrawn from the first frame of the upload, no larger than displayed, and stripped of everything but the image.
 * @throws Refusal 400 or 413 saying what is wrong with it, TooManyRequests
 */
export async function drawLogo(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > logoLimits.bytes) throw new Refusal(413, 'The logo must be 2 MB or smaller.', 'logo')
  if (!isPicture(bytes)) throw new Refusal(400, wrong, 'logo')
  const { default: sharp } = await import('sharp')
  const { pixels, shownWidth: width, shownHeight: height } = logoLimits
  const picture = sharp(bytes, { limitInputPixels: pixels * pixels, pages: 1, failOn: 'error' }).timeout({ seconds: patienceSeconds })
  const metadata = await picture.metadata().catch(() => null)
  if (metadata === null) throw new Refusal(400, damaged, 'logo')
  if (!['png', 'jpeg', 'webp'].includes(metadata.format)) throw new Refusal(400, wrong, 'logo')
  if (metadata.width > pixels || metadata.height > pixels)
    throw new Refusal(400, `The logo must be at most ${pixels.toLocaleString('en-US')} pixels wide and high.`, 'logo')
  try {
    return await drawing.run(tenantNow(), () =>
      picture
        .autoOrient()
        .resize({ width, height, fit: 'inside', withoutEnlargement: true })
        .toColorspace('srgb')
        .png({ compressionLevel: 9 })
        .toBuffer(),
    )
  } catch (error) {
    if (error instanceof TooManyRequests) throw error
    throw new Refusal(400, damaged, 'logo')
  }
}
