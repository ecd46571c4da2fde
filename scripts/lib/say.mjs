/** One plain line for the person at the terminal. @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`)
}

/** A failure the person can act on: shown as one line, without a stack. */
export class Failure extends Error {
  name = 'Failure'
}

/** Exits with one line and a failing exit code. @param {unknown} error @returns {never} */
export function fail(error) {
  const text = error instanceof Failure ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/**
 * Repeats `text` with the result of `detail`, every ten seconds, until the returned function is called. @param {string} text @param {() =>
 * string} [detail]
 */
export function sayWhile(text, detail = () => '') {
  const started = Date.now()
  say(`${text} …`)
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000)
    say(`${text} … ${seconds} s${detail()}`)
  }, 10_000)
  return () => clearInterval(timer)
}
