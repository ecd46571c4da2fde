import { parseArgs } from 'node:util'
import { benchAlerts } from './alerts.ts'
import { benchBundle } from './bundle.ts'
import { benchFacts } from './facts.ts'
import { benchServer } from './server.ts'
import type { Figure } from './support.ts'

const parts: Record<string, () => Promise<Figure[]>> = { bundle: benchBundle, facts: benchFacts, alerts: benchAlerts, server: benchServer }

/** `npm run bench [-- PART …]`: measures what has a bar and prints one table. Exit code 1 when a bar is missed. */
const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

const figures: Figure[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.error(`Measuring: ${name} …`)
  figures.push(...(await measure()))
}
console.log('| what | measured | bar | met |\n|---|---|---|---|')
for (const { what, value, bar, met } of figures) console.log(`| ${what} | ${value} | ${bar} | ${met ? 'yes' : '**no**'} |`)
process.exit(figures.every((figure) => figure.met) ? 0 : 1)
