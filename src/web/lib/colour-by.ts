import type { ColourBy } from './change-colour.ts'
import { storedChoice, useStoredChoice } from './stored-choice.ts'

const colourBy = storedChoice<ColourBy>('ranklark-ui-colour-by', ['figure', 'outcome'])

/** What gives changes their colour, as the person chose under "Display". */
export const useColourBy = (): ColourBy => useStoredChoice(colourBy)

export const saveColourBy = colourBy.save
