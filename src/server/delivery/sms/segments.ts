/** GSM 03.38, the text message alphabet: characters of one septet, and those that need two. */
const single = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const double = new Set('\f^{}\\[~]|€')

/** The size of a standalone message, and of each part of a longer one, whose header takes its share. */
const septets = { alone: 160, part: 153 }
const utf16 = { alone: 70, part: 67 }

/** How many parts a text is sent and billed as: one character outside of GSM 03.38 turns all of it into UTF-16. */
export function segmentsOf(text: string): number {
  const characters = [...text]
  const isGsm = characters.every((char) => single.has(char) || double.has(char))
  const sizes = characters.map((char) => (isGsm ? (double.has(char) ? 2 : 1) : char.length))
  const { alone, part } = isGsm ? septets : utf16
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  if (whole <= alone) return 1
  let segments = 1
  let used = 0
  // No character may span two parts.
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

/** Replaces typographic characters with simpler ones, which would otherwise double a text's length. */
export const plainSigns = (text: string): string => text.replaceAll(/[^\p{ASCII}]/gu, (char) => simpler[char] ?? char)
