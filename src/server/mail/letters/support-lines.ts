import type { ReactElement } from 'react'
import { paragraph } from '../layout.ts'
import { oneLine } from '../one-line.ts'

/** Text that somebody typed, paragraph by paragraph. */
export const lines = (message: string): ReactElement[] =>
  message
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .map((line) => paragraph(line))
