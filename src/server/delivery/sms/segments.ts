/** GSM 03.38, what text messages are written in: characters of one septet, and those that need two. */
const single = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const double = new Set('\f^{}\\[~]|€')

/** What fits into a message that stands alone, and into each part of a longer one, whose header takes its share. */
const septets = { alone: 160, part: 153 }
const utf16 = { alone: 70, part: 67 }

/** How many parts a text is sent and paid as: one character outside of GSM 03.38 makes all of it UTF-16. */
export function segmentsOf(text: string): number {
  const characters = [...text]
  const isGsm = characters.every((char) => single.has(char) || double.has(char))
  const sizes = characters.map((char) => (isGsm ? (double.has(char) ? 2 : 1) : char.length))
  const { alone, part } = isGsm ? septets : utf16
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  if (whole <= alone) return 1
  let segments = 1
  let used = 0
  // No character is split between two parts.
  for (const size of sizes) {
    if (used + size > part) segments += 1
    used = used + size > part ? size : used + size
  }
  return segments
}

const simpler: Record<string, string> = {
  '−': '-',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '…': '...',
  '•': '-',
  '×': 'x',
  '→': '->',
  '\u00A0': ' ',
  '\u202F': ' ',
  '\u2009': ' ',
}

/** With the signs of print put more simply, so that they do not make a text as long again. */
export const plainSigns = (text: string): string => text.replaceAll(/[^\p{ASCII}]/gu, (char) => simpler[char] ?? char)
