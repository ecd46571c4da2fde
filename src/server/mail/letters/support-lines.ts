import type { ReactElement } from 'react'
import { paragraph } from '../layout.ts'
import { oneLine } from '../one-line.ts'

/** User-supplied text, by paragraph. */
export const lines = (message: string): ReactElement[] =>
  message
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .map((line) => paragraph(line))
