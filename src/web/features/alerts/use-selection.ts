import { useState } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { canAcknowledge } from '../../lib/alert/alert-life.ts'

/** Which of the alerts on screen are chosen, of those that can be acknowledged; what cannot be any more falls out by itself. */
export function useSelection(alerts: readonly Alert[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const open = alerts.filter(canAcknowledge).map(({ id }) => id)
  const chosen = open.filter((id) => marked.has(id))
  return {
    chosen,
    /** How many could be. */
    possible: open.length,
    choose: (id: string, isChosen: boolean) => setMarked(new Set(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))),
    chooseAll: (areChosen: boolean) => setMarked(new Set(areChosen ? open : [])),
  }
}
export type Selection = ReturnType<typeof useSelection>
