/**
 * The address follows a text field with a delay, and may skip values: which of those sent to it, oldest first, are still on
 * their way once it says this; null when something else has changed it.
 */
export function stillOnTheWay(sent: readonly string[], address: string): readonly string[] | null {
  const arrived = sent.lastIndexOf(address)
  return arrived === -1 ? null : sent.slice(arrived + 1)
}
