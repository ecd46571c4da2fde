import { execFileSync } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { activities } from '../activities.ts'
import { back } from '../installation.ts'
import type { Stage } from './stage.ts'

/** Room for both stores and what these minutes add. */
const diskSize = '700m'
const chunk = new Uint8Array(1024 ** 2)
const lastingMs = 20_000

/** A separate disk, if this machine allows creating one; otherwise undefined. */
export async function smallDisk(directory: string): Promise<{ path: string; remove(): void } | undefined> {
  const place = path.join(directory, 'disk')
  await mkdir(place, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'tmpfs', place], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return { path: place, remove: () => void execFileSync('umount', ['-l', place]) }
}

/** The disk is full for a while, and every write to it may fail. */
export async function diskFull(stage: Stage, disk: string): Promise<void> {
  const { at, journal, society } = stage
  const ballast = path.join(disk, 'ballast')
  const starts = at.services.reduce((sum, service) => sum + service.starts(), 0)
  society.beBusy()
  await society.whileBroken(async () => {
    await fill(ballast)
    const begun = Date.now()
    for (const activity of activities) await Promise.race([activity.begin(stage), sleep(lastingMs / 5)]).catch(() => {})
    await sleep(Math.max(0, begun + lastingMs - Date.now()))
    await rm(ballast)
    const ended = performance.now()
    await back(at)
    const ms = Math.round(performance.now() - ended)
    journal.cameBack(ms)
    const restarts = at.services.reduce((sum, service) => sum + service.starts(), 0) - starts
    journal.note(`Disk full for ${lastingMs / 1000} s: ready ${ms} ms after space was freed; server restarts: ${restarts}.`)
  })
  await society.glance()
  await society.lookAtEverything()
}

/** Writes until there is no room for another byte. */
async function fill(file: string): Promise<void> {
  await using ballast = await open(file, 'w')
  for (let size = chunk.length; size > 0;) {
    const written = await ballast.write(chunk, 0, size).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOSPC') return null
      throw error
    })
    if (written === null) size = Math.floor(size / 2)
  }
}
