import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createDice } from './dice.ts'
import { type Record as Entry, startJournal } from './journal.ts'
import { lanes, type PartOptions } from './parts.ts'
import { reportOf } from './report.ts'

const reportFile = fileURLToPath(new URL('../docs/chaos.md', import.meta.url))
const names = lanes.flat().map(({ name }) => name)

const { values } = parseArgs({
  options: {
    /** Determines the victims and moments. */
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kills: { type: 'string', default: '215' },
    /** Only parts whose name contains this; the report then goes to the terminal. */
    only: { type: 'string', default: '' },
    /** No kill later than this. */
    minutes: { type: 'string', default: '30' },
  },
})

function wholeOf(name: 'seed' | 'kills' | 'minutes'): number {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= 0) return number
  console.error(`--${name} must be a whole number`)
  process.exit(2)
}

/** `npm run chaos`: kills, outages and full disks, and a report on the outcome. Exit code 1 if something was found. */
async function main(): Promise<number> {
  const [seed, kills, minutes] = [wholeOf('seed'), wholeOf('kills'), wholeOf('minutes')]
  const wanted = names.filter((name) => name.includes(values.only))
  if (wanted.length === 0) {
    console.error(`There is no part ${values.only}. Parts: ${names.join(', ')}`)
    return 2
  }
  const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-chaos-'))
  say(`seed ${seed}; data and logs in ${directory}`)
  const begun = new Date()
  const deadline = begun.getTime() + minutes * 60_000
  const parts = await Promise.all(
    lanes.map(async (lane, index) => {
      const entries: Entry[] = []
      for (const { name, share, run } of lane.filter((part) => wanted.includes(part.name))) {
        const home = path.join(directory, name.replaceAll(' ', '-'))
        await mkdir(home, { recursive: true })
        const journal = startJournal(name, say)
        const options: PartOptions = {
          directory: home,
          dice: createDice(seed + index),
          journal,
          kills: Math.round((kills * share) / 100),
          deadline,
        }
        await journal.noting(() => run(options))
        entries.push(journal.end())
      }
      return entries
    }),
  )
  const run = { seed, command: 'npm run chaos', begun, seconds: (Date.now() - begun.getTime()) / 1000, parts: parts.flat() }
  const report = reportOf(run)
  if (values.only === '') await writeFile(reportFile, report)
  console.log(report)
  const wasFine = run.parts.every(({ findings }) => findings.length === 0)
  // What remains is needed to find out what happened.
  if (wasFine) await rm(directory, { recursive: true, force: true })
  else say(`data and logs are kept in ${directory}`)
  return wasFine ? 0 : 1
}

process.exit(await main())
