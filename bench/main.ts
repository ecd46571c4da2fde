import path from 'node:path'
import { parseArgs } from 'node:util'
import { benchAlerts } from './alerts.ts'
import { benchAnalytics } from './analytics.ts'
import { benchBundle } from './bundle.ts'
import { benchDetection } from './detection.ts'
import { benchFacts } from './facts.ts'
import { benchImport } from './import.ts'
import { benchLoad } from './load.ts'
import { benchNavigation } from './navigation.ts'
import { benchReports } from './reports.ts'
import { benchScreens } from './screens.ts'
import { benchServer } from './server.ts'
import { benchSites } from './sites.ts'
import { type Figure, root } from './support.ts'
import { measuredOn, writeMeasured } from './written.ts'

const parts: Record<string, () => Promise<Figure[]>> = {
  bundle: benchBundle,
  navigation: benchNavigation,
  facts: benchFacts,
  import: benchImport,
  alerts: benchAlerts,
  detection: () => benchDetection(values.seeds === 'tuning' ? 'tuning' : 'table'),
  analytics: benchAnalytics,
  screens: benchScreens,
  reports: benchReports,
  sites: benchSites,
  server: benchServer,
  load: benchLoad,
}

/**
 * `npm run bench [-- PART …] [-- --write] [-- --seeds tuning]`: measures everything that has a target and prints one table; `--write` puts it into
 * docs/bench.md, replacing those parts' last results. Exit code 1 if a target is missed.
 * `--seeds tuning` generates the sites that constants are chosen on, which never go into the table.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, seeds: { type: 'string', default: 'table' } },
})
if (values.seeds !== 'table' && (values.seeds !== 'tuning' || values.write)) {
  console.error('--seeds is table, or tuning without --write.')
  process.exit(2)
}
const unknown = positionals.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

const table = (rows: readonly Figure[]): string =>
  [
    '| what | measured | bar | met |\n|---|---|---|---|',
    ...rows.map(({ what, value, bar, met }) => `| ${what} | ${value} | ${bar} | ${met ? 'yes' : '**no**'} |`),
  ].join('\n')

const figures: Figure[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.error(`Measuring: ${name} …`)
  const measured = await measure()
  figures.push(...measured)
  if (values.write) await writeMeasured(path.join(root, 'docs/bench.md'), name, `${measuredOn(new Date())}\n\n${table(measured)}`)
}
console.log(table(figures))
process.exit(figures.every((figure) => figure.met) ? 0 : 1)
