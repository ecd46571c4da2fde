import { readdir, readFile } from 'node:fs/promises'

/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100

/** Resource usage of a server and the PostgreSQL that it runs, from Linux's /proc. */
type Usage = {
  /** Seconds of CPU time so far. */
  serverCpu: number
  postgresCpu: number
  /** The server's resident MiB. */
  serverMemory: number
  /** MiB of both; pages shared by PostgreSQL's processes count once (proportional set size). */
  memory: number
}

/** For the server with this process id, and its descendants. */
export async function usageOf(pid: number): Promise<Usage> {
  const descendants = await descendantsOf(pid)
  const [own, ...others] = await Promise.all([cpuOf(pid), ...descendants.map(cpuOf)])
  const [serverMemory, ...shares] = await Promise.all([mebibytes(pid, 'Rss'), ...descendants.map((each) => mebibytes(each, 'Pss'))])
  return {
    serverCpu: own?.own ?? 0,
    postgresCpu: others.reduce((sum, each) => sum + each.own + each.ended, 0),
    serverMemory: serverMemory ?? 0,
    memory: shares.reduce((sum, share) => sum + share, serverMemory ?? 0),
  }
}

/** Usage between two readings, in seconds of CPU time. */
export const cpuBetween = (before: Usage, after: Usage) => ({
  server: after.serverCpu - before.serverCpu,
  postgres: after.postgresCpu - before.postgresCpu,
})

/** A process's resident MiB; cheap enough to read often. */
export async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

async function descendantsOf(pid: number): Promise<number[]> {
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number((await statOf(Number(name)))[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found: number[] = []
  const waiting = [...(children.get(pid) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next)
    waiting.push(...(children.get(next) ?? []))
  }
  return found
}

/** The fields of /proc/PID/stat from the third on; the second, the program's name, may contain spaces. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Seconds of CPU time: of all its threads, and of children that have ended. */
async function cpuOf(pid: number): Promise<{ own: number; ended: number }> {
  const fields = await statOf(pid)
  const seconds = (from: number): number => (Number(fields[from] ?? 0) + Number(fields[from + 1] ?? 0)) / ticksPerSecond
  return { own: seconds(11), ended: seconds(13) }
}

async function mebibytes(pid: number, what: 'Rss' | 'Pss'): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024
}
