import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { type Figure, root } from './support.ts'
import { buildWeb } from './web.ts'

const entry = z.object({
  file: z.string(),
  isEntry: z.boolean().optional(),
  isDynamicEntry: z.boolean().optional(),
  imports: z.array(z.string()).default([]),
})
const manifest = z.record(z.string(), entry)
type Manifest = z.infer<typeof manifest>

const dist = path.join(root, 'dist/web')
const dashboard = /\/DashboardPage\.tsx$/
const screen = /\/(\w+Page)\.tsx$/

/** JavaScript loaded when the first screen of /dashboard is complete, and what each other screen and part adds. */
export async function benchBundle(): Promise<Figure[]> {
  await buildWeb()
  const entries = manifest.parse(JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')))
  const names = Object.keys(entries)
  // The entry, the route, and what both import.
  const first = names.filter((name) => entries[name]?.isEntry || dashboard.test(name) || /AppShell\.tsx$|Shell\.tsx$/.test(name))
  if (!first.some((name) => dashboard.test(name))) throw new Error('The dashboard is not in the build manifest')
  const loaded = filesOf(entries, first)
  const kib = await gzippedKib(loaded)

  const later = names.filter((name) => entries[name]?.isDynamicEntry && !first.includes(name))
  const added = await Promise.all(
    later.map(async (name) => ({ name, kib: await gzippedKib([...filesOf(entries, [name])].filter((file) => !loaded.has(file))) })),
  )
  return [
    {
      what: `JavaScript before the first screen of /dashboard, gzipped (${loaded.size} files)`,
      value: `${kib.toFixed(0)} KiB`,
      bar: '≤ 170 KiB',
      met: kib <= 170,
    },
    largest(
      'screen',
      added.filter(({ name }) => screen.test(name)),
    ),
    largest(
      'other part',
      added.filter(({ name }) => !screen.test(name)),
    ),
  ]
}

type Part = { name: string; kib: number }

function largest(kind: string, parts: readonly Part[]): Figure {
  const sorted = [...parts].sort((a, b) => b.kib - a.kib)
  const most = sorted[0]?.kib ?? Number.NaN
  const named = sorted.slice(0, 3).map(({ name, kib }) => `${path.parse(name).name} ${kib.toFixed(0)} KiB`)
  return {
    what: `JavaScript that a lazily loaded ${kind} adds to the first load, gzipped, largest of ${parts.length} (${named.join(', ')})`,
    value: `${most.toFixed(0)} KiB`,
    bar: '≤ 120 KiB',
    met: most <= 120,
  }
}

/** Files of these entries and of all their static imports. */
function filesOf(entries: Manifest, names: readonly string[]): Set<string> {
  const files = new Set<string>()
  const wanted = [...names]
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const chunk = entries[name]
    if (!chunk || files.has(chunk.file)) continue
    files.add(chunk.file)
    wanted.push(...chunk.imports)
  }
  return files
}

async function gzippedKib(files: Iterable<string>): Promise<number> {
  let bytes = 0
  for (const file of files) if (file.endsWith('.js')) bytes += gzipSync(await readFile(path.join(dist, file)), { level: 9 }).length
  return bytes / 1024
}
