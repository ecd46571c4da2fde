/** Relative luminance (WCAG 2) of a color like `#1a73e8`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Black or white, whichever is more readable on a color; the contrast is at least 4.5. */
export const readableOn = (color: string): '#000000' | '#ffffff' => (luminance(color) > 0.179 ? '#000000' : '#ffffff')
