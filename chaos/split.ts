import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { createClient } from '@clickhouse/client'
import { createLog } from '../src/server/platform/log.ts'
import { openPostgres } from '../src/server/platform/postgres.ts'
import { type ClickHouseFront, startClickHouseFront } from '../test/support/clickhouse-front.ts'
import { type GrainSums, sumsStored } from '../test/support/grain-sums.ts'
import { databaseUrlOf } from '../test/support/stores.ts'
import { freePort } from './free-port.ts'
import { back, type Installation } from './installation.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { supervise } from './service.ts'
import { patientSql } from './stored.ts'
import { backendVictim, clickhouseVictim, postmasterVictim, serviceVictim } from './victims.ts'

/** Several processes sharing PostgreSQL and ClickHouse, each behind a connection that can fail. */
export type SplitInstallation = Installation & {
  postgres: Proxy & { /** Stops it cleanly; its supervisor starts it again. */ restart(): void }
  clickhouse: Pick<ClickHouseFront, 'fail' | 'kill' | 'startAgain'>
}

/** One process for requests and two for jobs, as divided by `ROLE`. */
export async function startSplit({ directory, env }: { directory: string; env: Record<string, string> }): Promise<SplitInstallation> {
  const databaseDir = path.join(directory, 'database')
  await mkdir(databaseDir, { recursive: true })
  const lost = (error: Error): void => void process.emitWarning(`PostgreSQL behind the processes: ${error.message}`)
  const [database, front] = await Promise.all([
    openPostgres({ dataDir: databaseDir, log: createLog('silent'), onLost: lost }),
    startClickHouseFront(),
  ])
  const direct = new URL(await databaseUrlOf(databaseDir))
  const proxy = await startProxy({ path: `${decodeURIComponent(direct.hostname)}/.s.PGSQL.${direct.port}` })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const shared = {
    ...env,
    BASE_URL: url,
    DATABASE_URL: `postgresql://${direct.username}:${direct.password}@127.0.0.1:${proxy.port}/postgres`,
    CLICKHOUSE_URL: front.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  const start = (name: string, role: 'web' | 'worker') => {
    const dataDir = path.join(directory, name)
    const service = supervise({
      name,
      env: { ...shared, ROLE: role, DATA_DIR: dataDir, PORT: role === 'web' ? String(port) : '0' },
      logFile: path.join(directory, `${name}.log`),
    })
    service.start()
    return service
  }
  const web = start('web', 'web')
  // The first process creates the tables; the others would only wait for it.
  await web.ready()
  const workers = [start('worker-1', 'worker'), start('worker-2', 'worker')]
  const services = [web, ...workers]
  await back({ url, services })
  const client = createClient({ url: front.url })
  const clickhouse = clickhouseVictim(front, 2)
  const sql = patientSql(() => databaseUrlOf(databaseDir))
  return {
    name: 'several processes',
    url,
    sql,
    directory,
    services,
    settings: { ...shared, DATA_DIR: path.join(directory, 'terminal') },
    victims: [
      serviceVictim('web', web, 2),
      ...workers.map((worker) => serviceVictim('worker', worker, 3)),
      postmasterVictim(async () => database.pid ?? 0, 2),
      clickhouse.victim,
      backendVictim(sql, 2),
    ],
    postgres: { ...proxy, port: proxy.port, restart: () => void process.kill(database.pid ?? 0, 'SIGINT') },
    clickhouse: front,
    async readFacts(questions) {
      const sums: GrainSums[] = []
      for (const { property, start: from, end } of questions) sums.push(await sumsStored(client, { property }, { start: from, end }))
      return sums
    },
    async close() {
      const codes = await Promise.all(services.map((service) => service.stop()))
      await client.close()
      await clickhouse.isBack()
      await front.close()
      await proxy.close()
      await database.close()
      await rm(databaseDir, { recursive: true, force: true })
      if (codes.some((code) => code !== 0)) throw new Error(`Exit codes after SIGTERM: ${codes.join(', ')}`)
    },
  }
}
