/** Where a key moves in a sequence with last index `last`; null for other keys. */
export function stepTo(key: string, from: number, last: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(last, from + 1)
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(0, from - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
