import { ConfigError } from '../config.ts'
import { messageOf } from '../common/errors.ts'

export type Env = Readonly<Record<string, string | undefined>>

type Command<Job> = {
  usage: string
  /** What to do; undefined if help was requested. Relative paths start at `from`. @throws Error about what was typed */
  read: (argv: readonly string[], from: string) => Job | undefined
  /** @returns what to print */
  act: (job: Job, env: Env) => Promise<string>
  /** What the message of an error begins with. */
  prefixOf?: (error: unknown) => string
}

/** For `parseArgs`. */
export const help = { type: 'boolean', short: 'h' } as const

/** @returns the exit code */
export const runCommand = <Job>({ usage, read, act, prefixOf }: Command<Job>, argv: readonly string[], env: Env): Promise<number> =>
  printed(async () => {
    // npm runs scripts in the package's directory; a relative path refers to the user's.
    const job = readOr(usage, () => read(argv, env['INIT_CWD'] ?? process.cwd()))
    return job === undefined ? `${usage}\n` : act(job, env)
  }, prefixOf)

class UsageError extends Error {}

function readOr<Job>(usage: string, read: () => Job): Job {
  try {
    return read()
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n\n${usage}`, { cause: error })
  }
}

/** Prints what a command says, or why it failed. @returns the exit code */
export async function printed(work: () => Promise<string>, prefixOf: (error: unknown) => string = () => ''): Promise<number> {
  try {
    process.stdout.write(await work())
    return 0
  } catch (error) {
    const prefix = error instanceof ConfigError ? 'Configuration: ' : error instanceof UsageError ? '' : prefixOf(error)
    process.stderr.write(`${prefix}${messageOf(error)}\n`)
    return 1
  }
}
