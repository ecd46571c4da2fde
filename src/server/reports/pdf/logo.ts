import type { Logo } from './document.ts'

const mostPixels = { width: 900, height: 360 }
const dataAddress = 'data:image/png;base64,'

/**
 * The image of a `data:` URL, redrawn on white: PDFs have no transparency, and this detects unreadable images. Null for those: the report
 * goes without.
 */
export async function readLogo(address: string): Promise<Logo | null> {
  if (!address.startsWith(dataAddress)) return null
  const { default: sharp } = await import('sharp')
  try {
    const { data, info } = await sharp(Buffer.from(address.slice(dataAddress.length), 'base64'), {
      failOn: 'error',
      limitInputPixels: 20_000_000,
    })
      .resize({ ...mostPixels, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColorspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true })
    return { png: new Uint8Array(data), width: info.width, height: info.height }
  } catch {
    return null
  }
}
