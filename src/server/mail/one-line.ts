/** Text of others, kept from breaking lines or turning the direction of writing around. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}
