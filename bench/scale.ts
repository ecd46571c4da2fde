import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureStep, type Step } from './scale-step.ts'
import { scaleReport } from './scale-report.ts'
import { root } from './support.ts'
import { measuredOn, writeMeasured } from './written.ts'

/** From here on, fetching everybody's history would take hours; it is filled in, and the daily round has a time limit. */
const mostFetched = 100
const days = 21
const roundSeconds = 60
const idleSeconds = 62
const readSeconds = 15

/** What different numbers of properties cost, one after another. */
async function measureScale(numbers: readonly number[]): Promise<Step[]> {
  const steps: Step[] = []
  for (const properties of numbers) {
    console.error(`Measuring ${properties.toLocaleString('en')} properties …`)
    steps.push(await measureStep({ properties, days, fetched: properties <= mostFetched, roundSeconds, idleSeconds, readSeconds }))
  }
  return steps
}

// `npm run scale [-- --properties 10,100] [-- --write]`: measures and prints the tables; `--write` puts them into docs/scale.md.
if (import.meta.main) {
  const { values } = parseArgs({
    options: { properties: { type: 'string', default: '10,100,1000,10000' }, write: { type: 'boolean', default: false } },
  })
  const numbers = values.properties.split(',').map(Number)
  if (!numbers.every((number) => Number.isInteger(number) && number > 0)) {
    console.error('--properties takes whole numbers with commas between them, such as 10,100,1000')
    process.exit(2)
  }
  const report = `${measuredOn(new Date())}\n\n${scaleReport(await measureScale(numbers))}`
  console.log(report)
  if (values.write) await writeMeasured(path.join(root, 'docs/scale.md'), 'scale', report)
  process.exit(0)
}
