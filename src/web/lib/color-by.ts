import type { ColorBy } from '../../core/analytics/change-color.ts'
import { storedChoice, useStoredChoice } from './storage.ts'

// Both values have been stored since the setting was introduced, each by somebody's choice: they keep their meaning, and only people who never
// chose get the first one here (decision 0039).
const colorBy = storedChoice<ColorBy>('ranklark-ui-color-by', ['outcome', 'figure'])

/** What colors changes, as chosen under "Display". */
export const useColorBy = (): ColorBy => useStoredChoice(colorBy)

export const saveColorBy = colorBy.save
