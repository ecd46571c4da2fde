/** For developers: something failed that the screen doesn't mention. */
export function logFailure(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the console is the browser's log
  console.error(what, error)
}
