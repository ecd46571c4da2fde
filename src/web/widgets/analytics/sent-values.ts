/**
 * The URL follows a text field with a delay, and may skip values: returns which of the values sent, oldest first, are still pending once it
 * has this one; null if something else changed it.
 */
export function stillOnTheWay(sent: readonly string[], address: string): readonly string[] | null {
  const arrived = sent.lastIndexOf(address)
  return arrived === -1 ? null : sent.slice(arrived + 1)
}
