import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'

export type Log = Logger
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

const SECRET_KEYS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'idToken',
  'id_token',
  'apiKey',
  'secret',
  'secretKey',
  'clientSecret',
  'client_secret',
  'code_verifier',
  'key',
  'cookies',
  'recoveryCodes',
]

/** pino's paths have a fixed depth, so each key is listed at the depths our objects have. */
const redactedPaths = SECRET_KEYS.flatMap((key) => {
  const member = key.startsWith('[') ? key : `.${key}`
  return [key, `*${member}`, `*.*${member}`, `*.*.*${member}`]
})

/**
 * A JSON-lines logger that never writes a credential.
 * @param level the lowest level written
 * @param pretty plain lines for a person at a terminal instead of JSON
 * @param destination where lines go; standard output by default
 */
export function createLog(level: LogLevel, pretty = false, destination?: DestinationStream): Log {
  const sink = destination ?? process.stdout
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[secret]' },
      serializers: { err: errorFields, error: errorFields },
    },
    pretty ? { write: (line: string) => sink.write(plainLine(line)) } : sink,
  )
}

/** Error fields that are safe to log besides message and origin: none of them contains user input. */
const loggedOfErrors = ['type', 'message', 'stack', 'code', 'status', 'statusCode', 'constraint', 'table', 'column', 'routine'] as const

/**
 * An error as logged. Libraries attach whole requests to their errors, with headers and bodies, at depths that no list of paths
 * anticipates; so this logs known fields only, not everything except known secrets.
 */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { aggregateErrors, ...all } = stdSerializers.err(error)
  const fields = Object.fromEntries(loggedOfErrors.filter((key) => all[key] !== undefined).map((key) => [key, all[key]]))
  return aggregateErrors ? { ...fields, aggregateErrors: error instanceof AggregateError ? error.errors.map(errorFields) : [] } : fields
}

/** `{"level":"warn","msg":"slow","ms":12}` becomes `warn slow ms=12`; info lines omit their level. */
function plainLine(json: string): string {
  const { level, time: _time, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>
  const fields = Object.entries(rest).map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const stack = isRecord(err) ? `\n${String(err['stack'] ?? err['message'])}` : ''
  return `${level === 'info' ? '' : `${String(level)} `}${typeof msg === 'string' ? msg : ''}${fields.join('')}${stack}\n`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
