import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withoutChecksum } from './lib/checksums.mjs'
import { root } from './lib/paths.mjs'

// Adds to package-lock.json the packages for other platforms that the registry didn't offer when npm wrote it. Without their entries `npm
// ci` says the lock file is out of sync with package.json. The platform is derived from the name, as `@oxlint/linux-arm64-musl`. Those that
// are shipped get their checksum as soon as this runs with a registry that has it; until then, it fails and names them.

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'windows', 'netbsd', 'openbsd', 'sunos', 'aix']
const processors = ['arm64', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'arm', 'wasm32', 'mips64el']

const file = path.join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))

/** Whether `name` resolves from `parent` as in Node: there, or in any folder above. */
function isLocked(parent, name) {
  for (let at = parent; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true
    if (at === '') return false
  }
}

/** The entry that npm would have written for one platform's package. */
function entryOf(name, version, dev) {
  const words = name.split('/').at(-1).split(/[-.]/)
  const os = words.find((word) => systems.includes(word))
  const cpu = words.find((word) => processors.includes(word))
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : os === 'linux' && words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev: true }),
    license: 'MIT',
    optional: true,
    ...(libc && { libc: [libc] }),
    ...(os && { os: [os === 'windows' ? 'win32' : os] }),
  }
}

let added = 0
for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (!/^\d+\.\d+\.\d+/.test(version) || isLocked(parent, name)) continue
    lock.packages[`node_modules/${name}`] = entryOf(name, version, dev)
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
for (const { name, entry } of withoutChecksum(lock)) {
  const { stdout } = spawnSync('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], { encoding: 'utf8' })
  if (stdout?.startsWith('sha512-')) entry.integrity = stdout.trim()
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`Packages for other platforms added to package-lock.json: ${added}\n`)

const left = withoutChecksum(lock).map(({ name }) => name)
if (left.length > 0) {
  process.stderr.write(`No checksum, because this registry doesn't offer them: ${left.join(', ')}. Run this again with one that does.\n`)
  process.exitCode = 1
}
