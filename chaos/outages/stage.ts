import type { Scene } from '../activities.ts'
import type { Installation } from '../installation.ts'
import type { Journal } from '../journal.ts'
import type { Society } from '../society.ts'

/** Where an outage happens, and whom it affects. */
export type Stage<At extends Installation = Installation> = Scene & { at: At; journal: Journal; society: Society }
