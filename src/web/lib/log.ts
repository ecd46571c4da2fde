/** For whoever opens the browser's console: something failed that the screen does not tell about. */
export function logFailure(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the console is the browser's log
  console.error(what, error)
}
