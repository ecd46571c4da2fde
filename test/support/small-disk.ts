import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './platform.ts'

/** A file system of `size` for one test, if this machine allows mounting one. */
export function smallDisk(size: string): string | undefined {
  const directory = temporaryDirectory('disk')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', directory]))
  return directory
}
