import { googleLimits } from '../src/server/google/quota.ts'
import type { Cost, Step } from './scale-step.ts'

/** The values to extrapolate. */
const million = 1_000_000
/** A property is checked every six hours (src/server/sync/store.ts). */
const roundsADay = 4
/** Days kept: Google's sixteen months at first, and all that follow. */
const daysOfFirstYear = 16 * 30 + 365
const secondsADay = 86_400

/** The tables of docs/scale.md. */
export function scaleReport(steps: readonly Step[]): string {
  const last = steps.at(-1)
  if (!last) throw new Error('Nothing was measured')
  return [
    '### Fetching history\n',
    table(
      [
        'properties',
        'property-days',
        'Google calls',
        'calls per property-day',
        'server CPU ms',
        'PostgreSQL CPU ms',
        'property-days per second',
      ],
      steps.flatMap(backfillRow),
    ),
    '\nCPU time is per property-day. With more properties, the history is written directly.\n',
    '### The daily round: checking for new days, and what follows\n',
    table(
      ['properties', 'checked', 'calls each', 'server CPU ms each', 'PostgreSQL CPU ms each', 'properties per second'],
      steps.map(roundRow),
    ),
    '\n### Evaluating the default rules of every property\n',
    table(
      ['properties', 'server CPU ms each', 'PostgreSQL CPU ms each', 'elapsed seconds'],
      steps.map(({ properties, evaluation }) => [number(properties), ...each(evaluation, properties), evaluation.wall.toFixed(1)]),
    ),
    '\n### While nothing is due\n',
    table(['properties', 'server CPU s per minute', 'PostgreSQL CPU s per minute', 'checks each minute (median)'], steps.flatMap(idleRow)),
    '\n### Starting, reading, memory\n',
    table(
      [
        'properties',
        'start',
        'metric cards of a property, first read (p95)',
        'session, cards and alerts, repeated (p95)',
        'server memory',
        'with PostgreSQL',
      ],
      steps.map(({ properties, startMs, reads, memory }) => [
        number(properties),
        `${(startMs / 1_000).toFixed(1)} s`,
        `${reads.first.toFixed(0)} ms`,
        `${reads.again.toFixed(1)} ms${reads.errors > 0 ? `, ${reads.errors} errors` : ''}`,
        `${memory.server.toFixed(0)} MiB`,
        `${memory.all.toFixed(0)} MiB`,
      ]),
    ),
    '\n### On disk\n',
    table(
      [
        'properties',
        'days each',
        'fact rows',
        'fact bytes',
        'bytes per property-day',
        'parts',
        'PostgreSQL bytes',
        'PostgreSQL bytes per property',
      ],
      steps.map(diskRow),
    ),
    ...steps.flatMap(({ properties, atGoogle, kept }) =>
      atGoogle === null
        ? []
        : [
            `\n${number(properties)} properties: ${number(kept.currentRows)} rows of final days are stored; Google has ${number(atGoogle)}${atGoogle === kept.currentRows ? '' : ': **they differ**'}.`,
          ],
    ),
    '\nThe largest tables at the end:\n',
    table(
      ['store', 'table', 'rows', 'bytes', 'parts'],
      [
        ...last.kept.facts
          .slice(0, 6)
          .map(({ table: name, rows, bytes, parts }) => ['facts', name, number(rows), number(bytes), number(parts)]),
        ...last.kept.postgres.tables
          .slice(0, 6)
          .map(({ table: name, rows, bytes }) => ['PostgreSQL', name, number(rows), number(bytes), '']),
      ],
    ),
    `\n### A million properties, computed from the round of ${number(last.properties)} properties\n`,
    table(['what', 'computed', 'how'], arithmetic(last, steps[0] ?? last)),
  ].join('\n')
}

const number = (value: number): string => Math.round(value).toLocaleString('en')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Milliseconds of CPU time per item. */
const each = ({ server, postgres }: Cost, count: number): string[] =>
  [server, postgres].map((seconds) => ((seconds * 1_000) / count).toFixed(1))

function backfillRow({ properties, days, backfill }: Step): string[][] {
  if (!backfill) return []
  const propertyDays = properties * days
  const { search } = backfill.asked
  return [
    [
      number(properties),
      number(propertyDays),
      number(search),
      (search / propertyDays).toFixed(2),
      ...each(backfill, propertyDays),
      (propertyDays / backfill.wall).toFixed(1),
    ],
  ]
}

function roundRow({ properties, round }: Step): string[] {
  const { done, asked, wall } = round
  return [number(properties), number(done), (asked.search / done).toFixed(1), ...each(round, done), (done / wall).toFixed(1)]
}

function idleRow({ properties, idle, idleSeconds }: Step): string[][] {
  if (!idle) return []
  const aMinute = (seconds: number): string => ((seconds * 60) / idleSeconds).toFixed(2)
  const looks = idle.looks.map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`).join(', ')
  return [[number(properties), aMinute(idle.server), aMinute(idle.postgres), looks]]
}

/** Cached periods are a separate matter: they exist for four days, for properties that somebody looks at. */
function factsOf({ kept }: Step) {
  const sum = { rows: 0, bytes: 0, parts: 0 }
  for (const { table: name, rows, bytes, parts } of kept.facts) {
    if (!name.startsWith('facts')) continue
    sum.rows += rows
    sum.bytes += bytes
    sum.parts += parts
  }
  return sum
}

function diskRow(step: Step): string[] {
  const { properties, days, kept } = step
  const { rows, bytes, parts } = factsOf(step)
  return [
    number(properties),
    number(days),
    number(rows),
    number(bytes),
    number(bytes / (properties * days)),
    number(parts),
    number(kept.postgres.bytes),
    number(kept.postgres.bytes / properties),
  ]
}

/** @param least the smallest number of properties: what it needs, an empty installation needs too */
function arithmetic(step: Step, least: Step): string[][] {
  const { properties, days, round, kept, idle, idleSeconds } = step
  const more = Math.max(1, properties - least.properties)
  const aMinute = ({ idle: quiet }: Step): number => (((quiet?.server ?? 0) + (quiet?.postgres ?? 0)) * 60) / idleSeconds
  const calls = round.asked.search / round.done
  const callsAMinute = (million * calls * roundsADay) / (24 * 60)
  const server = (round.server / round.done) * roundsADay
  const postgres = (round.postgres / round.done) * roundsADay
  const bytes = factsOf(step).bytes / (properties * days)
  const looks = idle && step !== least ? ((aMinute(step) - aMinute(least)) * million) / more : null
  const rowsOfOne = (kept.postgres.bytes - (step === least ? 0 : least.kept.postgres.bytes)) / (step === least ? properties : more)
  return [
    [
      'Google calls per minute',
      `${number(callsAMinute)} of ${number(googleLimits.perProject)}`,
      `${calls.toFixed(1)} calls × ${roundsADay} rounds a day × 1,000,000 ÷ 1,440 minutes`,
    ],
    [
      'properties that one Google project can serve',
      number((googleLimits.perProject * 1_440) / (calls * roundsADay)),
      `${number(googleLimits.perProject)} × 1,440 ÷ (${calls.toFixed(1)} × ${roundsADay})`,
    ],
    [
      'worker cores, fully used',
      ((server * million) / secondsADay).toFixed(1),
      `${(server * 1_000).toFixed(0)} ms per property and day, including the engine in the process, × 1,000,000 ÷ 86,400 s`,
    ],
    [
      'PostgreSQL cores',
      ((postgres * million) / secondsADay).toFixed(1),
      `${(postgres * 1_000).toFixed(0)} ms per property and day × 1,000,000 ÷ 86,400 s`,
    ],
    [
      'checks for due work, as they are now: CPU time per minute',
      looks === null ? 'not measured' : looks <= 0 ? 'too little to measure' : `${looks.toFixed(0)} s`,
      `(CPU time per minute of ${number(properties)} idle properties − that of ${number(least.properties)}) × 1,000,000 ÷ ${number(more)}`,
    ],
    [
      'fact bytes, after sixteen months and a year',
      `${((bytes * million * daysOfFirstYear) / 1e12).toFixed(1)} TB`,
      `${number(bytes)} bytes per property-day × ${number(daysOfFirstYear)} days × 1,000,000; each replica needs the same again`,
    ],
    [
      'PostgreSQL bytes',
      `${((rowsOfOne * million) / 1e9).toFixed(0)} GB`,
      `${number(rowsOfOne)} bytes per additional property × 1,000,000, without years of alerts and messages`,
    ],
  ]
}
