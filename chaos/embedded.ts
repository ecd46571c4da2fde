import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { GrainSums } from '../test/support/grain-sums.ts'
import { databaseUrlOf } from '../test/support/stores.ts'
import { freePort } from './free-port.ts'
import { back, type FactsQuestion, type Installation } from './installation.ts'
import { backendVictim, postmasterVictim, serviceVictim } from './victims.ts'
import { supervise } from './service.ts'
import { patientSql } from './stored.ts'

const run = promisify(execFile)
const reader = fileURLToPath(new URL('read-facts.ts', import.meta.url))

export type EmbeddedOptions = {
  /** Where data and logs go. */
  directory: string
  env: Record<string, string>
  /** DATA_DIR; default: beside the logs. */
  dataDir?: string
}

/** One server with its own PostgreSQL and ClickHouse, as `npm start` runs it. */
export async function startEmbedded({ directory, env, dataDir = path.join(directory, 'data') }: EmbeddedOptions): Promise<Installation> {
  await mkdir(dataDir, { recursive: true })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const settings = { ...env, PORT: String(port), BASE_URL: url, DATA_DIR: dataDir }
  const server = supervise({
    name: 'server',
    env: settings,
    logFile: path.join(directory, 'server.log'),
  })
  const sql = patientSql(() => databaseUrlOf(dataDir))
  server.start()
  await back({ url, services: [server] })
  return {
    name: 'embedded',
    url,
    sql,
    directory,
    services: [server],
    settings,
    victims: [serviceVictim('server', server, 6), postmasterVictim(async () => postmasterOf(dataDir), 2), backendVictim(sql, 2)],
    async readFacts(questions) {
      // Only one process at a time may open the directory.
      await mustEndTidily(server.stop())
      try {
        return await readFactsOf(dataDir, questions)
      } finally {
        server.start()
        await back({ url, services: [server] })
      }
    },
    close: () => mustEndTidily(server.stop()),
  }
}

async function mustEndTidily(exit: Promise<number | null>): Promise<void> {
  const code = await exit
  if (code !== 0) throw new Error(`The server ended with exit code ${code} when it was asked to stop`)
}

/** The facts of an installation whose server isn't running, read in a separate process. */
async function readFactsOf(dataDir: string, questions: readonly FactsQuestion[]): Promise<GrainSums[]> {
  const { stdout } = await run(process.execPath, ['--no-warnings', reader, dataDir, JSON.stringify(questions)], {
    maxBuffer: 256 * 1024 ** 2,
    timeout: 120_000,
  })
  return JSON.parse(stdout) as GrainSums[]
}

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0])
