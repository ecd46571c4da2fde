import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { z } from 'zod'

const unpackScript = fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url))
const nodeModules = path.resolve(import.meta.dirname, '../../node_modules')
const packed = path.join(nodeModules, '@sparticuz', 'chromium')
const cache = path.join(nodeModules, '.cache')

/** Starts Chromium: on Linux the one installed by `npm ci`, elsewhere the installed Chrome. `CHROMIUM_PATH` names another one. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const own = process.env['CHROMIUM_PATH']
  if (own !== undefined) return chromium.launch({ executablePath: own, args: [...flags] })
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome', args: [...flags] })

  const home = await unpacked()
  const env = { ...process.env, FONTCONFIG_FILE: path.join(home, 'fonts.conf') }
  const options = { executablePath: path.join(home, 'chromium'), args: ['--font-render-hinting=none', ...flags] }
  try {
    return await chromium.launch({ ...options, env })
  } catch (error) {
    // A bare machine lacks the few system libraries that the package also includes.
    if (!String(error).includes('shared libraries')) throw error
    return chromium.launch({ ...options, env: { ...env, LD_LIBRARY_PATH: path.join(home, 'al2023', 'lib') } })
  }
}

/**
 * Where Chromium, its fonts and libraries are unpacked: once per version, below node_modules and not in the machine's temporary directory,
 * where there may be another user's copy that we can't run.
 */
async function unpacked(): Promise<string> {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile(path.join(packed, 'package.json'), 'utf8')))
  const home = path.join(cache, `chromium-${version}`)
  if (existsSync(home)) return home
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(path.join(cache, 'unpacking-'))
  const files = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((file) => path.join(packed, 'bin', file))
  // The package unpacks into the temporary directory, wherever that is; in a separate process, since everything else in this one has
  // temporary files too.
  await promisify(execFile)(process.execPath, [unpackScript, ...files], {
    env: { ...process.env, TMPDIR: draft },
  })
  await writeFile(path.join(draft, 'fonts.conf'), fontsConf(home))
  // Another process may have been as quick; its copy is the same.
  await rename(draft, home).catch(() => rm(draft, { recursive: true }))
  return home
}

/** The package's fonts, and the machine's if it has any. */
function fontsConf(home: string): string {
  const below = (name: string) => path.join(home, name).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const directories = `<dir>/usr/share/fonts</dir><dir>${below('fonts')}</dir><cachedir>${below('fonts-cache')}</cachedir>`
  return `<?xml version="1.0"?>\n<fontconfig>${directories}</fontconfig>\n`
}
