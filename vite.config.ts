import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import manifest from './package.json' with { type: 'json' }
import { staticPages } from './src/site/vite.ts'

const here = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const apiUrl = process.env['RANKLARK_API_URL'] ?? 'http://localhost:3000'

/**
 * Chunks. By default, shared code would come in a hundred files of a kilobyte each, and requesting them would take longer than transferring
 * their content. So there is one chunk for what the frame needs, one for what the dashboard shares with others, one for what the frame adds
 * once its figures arrive, one for what the screens before it share (whose visitors have nothing cached), one for what four of the rest
 * share, and one for long tables, which only screens of figures need. Each takes all that its modules import, so the chunks import each
 * other only upwards in this list, and run in the right order.
 */
const ofTables =
  /@tanstack\/((react-)?table|(react-)?virtual|table-core|virtual-core)|widgets\/table\/(Data|Wide)Table|widgets\/table\/(Table|use-)/
const groups: Rolldown.CodeSplittingGroup[] = [
  { ...neededBy('frame', ['main.tsx', 'shell/RequireSession.tsx', 'shell/frame/AppShell.tsx']), priority: 5 },
  { ...neededBy('first', ['features/dashboard/DashboardPage.tsx']), minShareCount: 2, priority: 4 },
  { ...neededBy('figures', ['shell/banners/LaterBanners.tsx', 'shell/frame/unread-alerts.ts']), priority: 3 },
  { ...neededBy('entry', ['features/auth/AuthPage.tsx', 'features/auth/ForgotPasswordPage.tsx']), minShareCount: 2, priority: 2 },
  { name: 'shared', test: (id) => !ofTables.test(id), minShareCount: 4, priority: 1 },
  { name: 'tables', test: ofTables, minShareCount: 2, priority: 0 },
]

export default defineConfig({
  root: here('./src/web'),
  plugins: [react(), tailwindcss(), withoutJsonSchemas(), staticPages(apiUrl), sharedReportPage(), precompress()],
  define: { 'import.meta.env.VERSION': JSON.stringify(manifest.version) },
  build: {
    outDir: here('./dist/web'),
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The content security policy allows neither inline scripts nor data: URLs, except for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The frame is one file of some 600 kB uncompressed.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // No module has a property whose reading changes anything.
      treeshake: { propertyReadSideEffects: false },
      output: { codeSplitting: { groups } },
    },
  },
  server: {
    // The browser part also reads src/contract and the fonts in node_modules.
    fs: { allow: [here('.')] },
    proxy: { '/api': { target: apiUrl }, '/mcp': { target: apiUrl } },
  },
})

/** The browser never describes its schemas as JSON Schemas, whose code would be 4 KiB of the first load, compressed. */
function withoutJsonSchemas(): Plugin {
  const describing = /^ *inst\._zod\.processJSONSchema = .*;$|create(?:To|Standard)JSONSchemaMethod(?=\(this)/gm
  return {
    name: 'without-json-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const without = code.replaceAll(describing, (found) => (found.startsWith('create') ? 'Object' : ''))
        if (without === code) throw new Error('Zod describes its schemas elsewhere: find it, or do without this plugin')
        return without
      },
    },
  }
}

/** A group of everything that these modules of the app import, directly or not. */
function neededBy(group: string, roots: readonly string[]): Pick<Rolldown.CodeSplittingGroup, 'name' | 'debugName'> {
  const needed = new Set<string>()
  const name = (id: string, modules: Rolldown.ChunkingContext): string | null => {
    const waiting = needed.size === 0 ? roots.map((root) => here(`./src/web/${root}`)) : []
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (needed.has(next)) continue
      needed.add(next)
      waiting.push(...importedBy(next, modules))
    }
    return needed.has(id) ? group : null
  }
  return { name, debugName: group }
}

/** The icon package imports all icons; only those that a module of the app imports by name are needed. */
function importedBy(id: string, modules: Rolldown.ChunkingContext): readonly string[] {
  const { code, importedIds } = modules.getModuleInfo(id) ?? { code: null, importedIds: [] }
  const icons = importedIds.find((imported) => imported.endsWith('/lucide-react.mjs'))
  const lists = [...(code ?? '').matchAll(/import \{([^}]+)\} from ["']lucide-react["']/g)]
  if (icons === undefined || lists.length === 0) return importedIds
  const names = lists.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().split(' as ')[0] ?? ''))
  const exported = (modules.getModuleInfo(icons)?.code ?? '').split('\n')
  const files = names.flatMap((name) => /'\.(\/icons\/.*)'/.exec(exported.find((line) => line.includes(`as ${name}, `)) ?? '')?.[1] ?? [])
  return [...importedIds.filter((imported) => imported !== icons), ...files.map((file) => path.dirname(icons) + file)]
}

/** A shared report's page doesn't reveal the product: its app shows the brand of whoever shares it. */
function sharedReportPage(): Plugin {
  return {
    name: 'shared-report-page',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const app = bundle['index.html']
        if (app?.type !== 'asset') throw new Error('The build has no index.html')
        const page = String(app.source)
          .replace(/<meta name="description"[^>]*>/, '<meta name="robots" content="noindex, nofollow" />')
          .replace(/<title>[^<]*</, '<title>Report<')
          // An empty icon, so that browsers don't request one by themselves.
          .replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="data:," />')
          .replace(/<noscript>[^<]*</, '<noscript>This report needs JavaScript to draw its figures.<')
        if (/ranklark/i.test(page)) throw new Error('The page of shared reports names the product')
        this.emitFile({ type: 'asset', fileName: 'shared.html', source: page })
      },
    },
  }
}

/** Writes a `.br` and a `.gz` beside every text file, so that the server needn't compress while somebody waits. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile() && /\.(js|css|html|svg)$/.test(entry.name))
      await Promise.all(files.map((file) => compress(path.join(file.parentPath, file.name))))
    },
  }
}

async function compress(file: string): Promise<void> {
  const text = await readFile(file)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  await Promise.all([
    writeFile(`${file}.br`, await promisify(brotliCompress)(text, quality)),
    writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 })),
  ])
}
