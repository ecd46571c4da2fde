import { logoLimits } from '../../contract/reports/reports.ts'
import { Refusal } from '../common/errors.ts'

const wrong = 'The logo must be a PNG, JPEG or WebP image.'
const damaged = "This image is damaged and can't be read. Save it again and retry."
/** Longer than the largest picture that is allowed takes to draw. */
const patienceSeconds = 10

/** What a file begins with tells what it is, whatever it is called; nothing else comes near a decoder. */
function isPicture(bytes: Buffer): boolean {
  const starts = (...values: number[]) => values.every((value, at) => bytes[at] === value)
  const isPng = starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const isJpeg = starts(0xff, 0xd8, 0xff)
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isPng || isJpeg || isWebp
}

/**
 * A logo as it is kept: a PNG that is drawn anew from the first frame of what was uploaded, as large as it is shown at
 * most, and without anything that stood beside the picture.
 * @throws Refusal 400 or 413 that says what is wrong with it
 */
export async function drawLogo(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > logoLimits.bytes) throw new Refusal(413, 'The logo must be at most 2 MiB.', 'logo')
  if (!isPicture(bytes)) throw new Refusal(400, wrong, 'logo')
  const { default: sharp } = await import('sharp')
  const { pixels, shownWidth: width, shownHeight: height } = logoLimits
  const picture = sharp(bytes, { limitInputPixels: pixels * pixels, pages: 1, failOn: 'error' }).timeout({ seconds: patienceSeconds })
  const told = await picture.metadata().catch(() => null)
  if (told === null) throw new Refusal(400, damaged, 'logo')
  if (!['png', 'jpeg', 'webp'].includes(told.format)) throw new Refusal(400, wrong, 'logo')
  if (told.width > pixels || told.height > pixels)
    throw new Refusal(400, `The logo must be at most ${pixels.toLocaleString('en-US')} pixels wide and high.`, 'logo')
  try {
    const resized = picture.autoOrient().resize({ width, height, fit: 'inside', withoutEnlargement: true })
    return await resized.toColourspace('srgb').png({ compressionLevel: 9 }).toBuffer()
  } catch {
    throw new Refusal(400, damaged, 'logo')
  }
}
