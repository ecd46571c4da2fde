/** PostgreSQL is unusable; the one-line message says why and, if known, what to do. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}

const DISK_FULL = /No space left on device|ENOSPC|disk quota exceeded|EDQUOT/i
const READ_ONLY = /Read-only file system|EROFS/i
const NOT_ALLOWED = /Permission denied|EACCES|Operation not permitted|EPERM/i
const NAMELESS = /could not look up effective user ID (\d+)/
const OTHER_VERSION = /initialized by PostgreSQL version (\d+)/

/**
 * Reduces initdb's or the server's output to one line.
 * @param what the start of the sentence
 * @param directory where the files are
 * @param output everything it wrote, or an error's message
 */
export function explainFailure(what: string, directory: string, output: string): PostgresError {
  return new PostgresError(`${what}: ${reason(directory, output)}`)
}

function reason(directory: string, output: string): string {
  const version = OTHER_VERSION.exec(output)?.[1]
  if (DISK_FULL.test(output))
    return `the disk that holds ${directory} is full. Free some space (a new database takes about 100 MB) and start again`
  if (READ_ONLY.test(output)) return `the disk that holds ${directory} is read-only`
  if (version !== undefined) return `${directory} was created by PostgreSQL ${version}, which this version of Ranklark does not include`
  const nameless = NAMELESS.exec(output)?.[1]
  if (nameless !== undefined)
    return `the user it runs as (id ${nameless}) has no entry in /etc/passwd. Run Ranklark as a user that has one, or set DATABASE_URL`
  if (NOT_ALLOWED.test(output)) return `${lastComplaint(output)} (in ${directory}; was it created by another user?)`
  return `${lastComplaint(output)} (in ${directory})`
}

/** The fatal line without PostgreSQL's prefix; the last line if none is marked. */
function lastComplaint(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it exited without an error message'
  return fatal.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '')
}
