/** Why there is no backup, or nothing was restored: one line for the person who asked for it. */
export class BackupProblem extends Error {
  override name = 'BackupProblem'
}

/** By the system's error code, and by its message, since a store passes on only that. */
const full: readonly { code: string; words: RegExp; why: string }[] = [
  { code: 'ENOSPC', words: /no space left on device|not enough space/i, why: 'the disk is full' },
  { code: 'EDQUOT', words: /disk quota exceeded/i, why: 'the disk quota is exceeded' },
  { code: 'EFBIG', words: /file too large/i, why: 'it is larger than the file size limit there' },
]

/** Why nothing more could be written; undefined if the error is about something else. */
export function whyFull(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  return full.find((each) => each.code === code || each.words.test(error.message))?.why
}
