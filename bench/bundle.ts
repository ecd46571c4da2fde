import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { type Figure, root } from './support.ts'

const entry = z.object({
  file: z.string(),
  isEntry: z.boolean().optional(),
  imports: z.array(z.string()).default([]),
})
const manifest = z.record(z.string(), entry)

const dist = path.join(root, 'dist/web')
const dashboard = /\/DashboardPage\.tsx$/

/** JavaScript that a browser has loaded when the first screen of /dashboard stands: the entry, the route, what both import. */
export async function benchBundle(): Promise<Figure[]> {
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: root })
  const entries = manifest.parse(JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')))
  const wanted = Object.keys(entries).filter(
    (name) => entries[name]?.isEntry || dashboard.test(name) || /AppShell\.tsx$|Shell\.tsx$/.test(name),
  )
  if (!wanted.some((name) => dashboard.test(name))) throw new Error('The dashboard is not in the build manifest')
  const files = new Set<string>()
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const chunk = entries[name]
    if (!chunk || files.has(chunk.file)) continue
    files.add(chunk.file)
    wanted.push(...chunk.imports)
  }
  let bytes = 0
  for (const file of files) if (file.endsWith('.js')) bytes += gzipSync(await readFile(path.join(dist, file)), { level: 9 }).length
  const kib = bytes / 1024
  return [
    {
      what: `JavaScript before the first screen of /dashboard, gzipped (${files.size} files)`,
      value: `${kib.toFixed(0)} KiB`,
      bar: '≤ 200 KiB',
      met: kib <= 200,
    },
  ]
}
