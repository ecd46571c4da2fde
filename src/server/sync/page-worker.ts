import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { encodeRows, type FactRow } from '../facts/encode.ts'
import { type AnalyticsRow, createSearchConsole } from '../google/search-console.ts'
import { systemClock } from '../platform/clock.ts'
import type { PageJob, PageReply } from './page-fetcher.ts'

// Runs in its own thread (page-fetcher.ts): unpacking, parsing and encoding 25,000 rows takes tens of milliseconds, which must not block
// the thread that serves requests.

// With fewer processors than busy threads, requests come first. On Linux each thread has its own priority; elsewhere this would change the
// whole process's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const { apiUrl } = workerData as { apiUrl: string }
const searchConsole = createSearchConsole(apiUrl, systemClock)

async function run({ id, accessToken, query, target }: PageJob): Promise<void> {
  const answer = await searchConsole.query(accessToken, query)
  const reply: PageReply = answer.ok
    ? { id, answer: { ok: true, value: encodeRows(target, answer.value.rows.map(toFactRow)) } }
    : { id, answer }
  parentPort?.postMessage(reply, reply.answer.ok ? [reply.answer.value.text.buffer] : [])
}

function toFactRow({ keys, clicks, impressions, position }: AnalyticsRow): FactRow {
  const [date = '', ...rest] = keys
  return { date, keys: rest, clicks, impressions, position }
}

parentPort?.on('message', (job: PageJob) => void run(job))
