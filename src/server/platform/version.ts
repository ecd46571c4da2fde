import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** This installation's version, from package.json. */
export const version: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))).version
