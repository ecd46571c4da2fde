import { useState } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { canAcknowledge } from '../../lib/alert/alert-life.ts'

/** The selection among the alerts on screen that can be acknowledged; drops those that no longer can. */
export function useSelection(alerts: readonly Alert[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const open = alerts.filter(canAcknowledge).map(({ id }) => id)
  const chosen = open.filter((id) => marked.has(id))
  return {
    chosen,
    /** Number of selectable ones. */
    possible: open.length,
    choose: (id: string, isChosen: boolean) => setMarked(new Set(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))),
    chooseAll: (areChosen: boolean) => setMarked(new Set(areChosen ? open : [])),
  }
}
export type Selection = ReturnType<typeof useSelection>
