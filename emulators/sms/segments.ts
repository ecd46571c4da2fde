/** The GSM 03.38 characters that take one septet, and those that take two. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')

/** Septets or UTF-16 units in a single message, and in each part of a longer one, where a header takes space. */
const GSM = { alone: 160, part: 153 }
const UCS2 = { alone: 70, part: 67 }

/** How many messages a text takes: one character outside GSM-7 makes all of them shorter. */
export function segmentsOf(body: string): number {
  const characters = [...body]
  const gsm = characters.every((each) => BASIC.has(each) || EXTENDED.has(each))
  const sizes = characters.map((each) => (gsm ? (EXTENDED.has(each) ? 2 : 1) : each.length))
  const { alone, part } = gsm ? GSM : UCS2
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return 1
  let segments = 1
  let used = 0
  for (const size of sizes) {
    // A character is never split between two messages.
    if (used + size > part) {
      segments += 1
      used = 0
    }
    used += size
  }
  return segments
}
