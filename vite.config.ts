import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  root: here('./src/web'),
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir: here('./dist/web'),
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The browser part also reads src/contract and the fonts in node_modules.
    fs: { allow: [here('.')] },
    proxy: { '/api': { target: process.env['RANKLARK_API_URL'] ?? 'http://localhost:3000' } },
  },
})

/** Writes a `.br` and a `.gz` beside every text file, so that the server need not compress while somebody waits. */
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
