import type { ColorBy } from '../../core/analytics/change-color.ts'
import { storedChoice, useStoredChoice } from './storage.ts'

// Both words have been stored since the setting exists, and each was somebody's choice: they keep their meaning, and only
// people who never chose go by what is first here (decision 0039).
const colorBy = storedChoice<ColorBy>('ranklark-ui-colour-by', ['outcome', 'figure'])

/** What gives changes their color, as the person chose under "Display". */
export const useColorBy = (): ColorBy => useStoredChoice(colorBy)

export const saveColorBy = colorBy.save
