import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('./src/web'),
  plugins: [react(), tailwindcss()],
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
