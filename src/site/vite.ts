import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { type Plugin, runnerImport, type ViteDevServer } from 'vite'
import { z } from 'zod'
import { authEndpoints } from '../contract/account/auth.ts'
import { apiDocs } from '../contract/api-v1/common.ts'
import { screens } from '../contract/screens.ts'
import { type Billing, billing } from '../contract/user.ts'
import type { Assets } from './assets.ts'
import { type PageName, pageAt, pageNames } from './page-names.ts'

const here = import.meta.dirname
const style = path.join(here, 'site.css')
const pictures = path.join(here, 'pictures')
const font = 'inter-latin-wght-normal.woff2'
const fontFile = path.resolve(here, '../../node_modules/@fontsource-variable/inter/files', font)

/**
 * Renders the static pages: into the build beside the app, as `site/stripe/<name>.html` and `site/off/<name>.html` with their stylesheet
 * and pictures under assets/, and again for each request under `npm run dev`.
 */
export function staticPages(apiUrl: string): Plugin {
  const emitted = new Map<string, string>()
  return {
    name: 'static-pages',
    config: (_config, { command }) =>
      command === 'build' ? { build: { rolldownOptions: { input: { app: path.resolve(here, '../web/index.html'), site: style } } } } : {},
    buildStart() {
      if (this.environment.mode !== 'build') return
      for (const name of readdirSync(pictures)) {
        emitted.set(name, this.emitFile({ type: 'asset', name, source: readFileSync(path.join(pictures, name)) }))
      }
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const built = Object.values(bundle).filter((file) => file.type === 'asset')
        const addressOf = (name: string) => `/${found(built.find((file) => file.names.includes(name))?.fileName, name)}`
        const assets: Assets = {
          style: addressOf('site.css'),
          font: addressOf(font),
          picture: (name) => `/${this.getFileName(found(emitted.get(name), name))}`,
        }
        const { render } = await renderer()
        for (const kind of billing.options)
          for (const name of pageNames)
            this.emitFile({ type: 'asset', fileName: `site/${kind}/${name}.html`, source: render(name, kind, assets) })
      },
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        try {
          if (await answer(server, apiUrl, request, response)) return
        } catch (error) {
          return next(error)
        }
        next()
      })
    },
  }
}

type Renderer = { render: (name: PageName, kind: Billing, assets: Assets) => string; files: readonly string[] }

/** The pages are TSX, which Node does not run by itself. */
async function renderer(): Promise<Renderer> {
  const { module, dependencies } = await runnerImport<{ renderPage: Renderer['render'] }>(path.join(here, 'render.tsx'))
  return { render: module.renderPage, files: dependencies.map((file) => path.resolve(here, '../..', file)) }
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The static pages need ${name}, which the build does not have`)
  return value
}

const session = z.object({ authenticated: z.boolean(), demo: z.boolean(), billing })

/** What http/site-pages.ts of the server does with the built files, for `npm run dev`. */
async function answer(server: ViteDevServer, apiUrl: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const [address = ''] = (request.url ?? '').split('?')
  if (address === apiDocs) return answerReference(apiUrl, response)
  const page = pageAt(address)
  if (page === null || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  const asked = await fetch(`${apiUrl}${authEndpoints.session.path}`, { headers: { cookie: request.headers.cookie ?? '' } })
  const { authenticated, demo, billing: kind } = session.parse(await asked.json())
  if (page === 'landing' && authenticated) {
    response.writeHead(302, { location: screens.dashboard, 'cache-control': 'no-store' }).end()
    return true
  }
  const { render, files } = await renderer()
  reloadOnChange(server, files)
  const inDev = (file: string) => `/@fs/${file}`
  const html = render(page === 'landing' && demo ? 'landing-demo' : page, kind, {
    style: inDev(style),
    font: inDev(fontFile),
    picture: (name) => inDev(path.join(pictures, name)),
  })
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(await server.transformIndexHtml(address, html))
  return true
}

/** The reference as the server renders it from the last build, with the current stylesheet. */
async function answerReference(apiUrl: string, response: ServerResponse): Promise<boolean> {
  const asked = await fetch(`${apiUrl}${apiDocs}`)
  const page = (await asked.text()).replace(/href="[^"]+\.css"/, `href="/@fs/${style}"`)
  response
    .writeHead(asked.status, { 'content-type': asked.headers.get('content-type') ?? 'text/plain', 'cache-control': 'no-store' })
    .end(page)
  return true
}

const watched = new Set<string>()

function reloadOnChange(server: ViteDevServer, files: readonly string[]): void {
  if (watched.size === 0) server.watcher.on('change', (file) => watched.has(file) && server.ws.send({ type: 'full-reload' }))
  server.watcher.add([...files])
  for (const file of files) watched.add(file)
}
