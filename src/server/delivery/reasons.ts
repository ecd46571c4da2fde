import type { AlertsService } from '../alerts/service.ts'
import type { Log } from '../platform/log.ts'
import { aborted, newTenancy, runAs } from '../platform/tenant.ts'
import { storableExplanation } from './compose.ts'
import type { MessageItem } from './message.ts'

/** Explanations of alerts by id. */
export type Known = Map<string, Pick<MessageItem, 'why' | 'coincidences' | 'contributors'>>

type ReasonsDeps = { alerts: Pick<AlertsService, 'explain'>; log: Log }

/**
 * Adds explanations of the alerts that `important` returns to the known ones, at the person's own cost and as many as there is time for:
 * the message goes out even if nobody can explain it. Everybody's messages wait meanwhile, so these questions go before the person's others.
 * Returns whether that took too long, and how long it took.
 */
export async function explainInTime(
  { alerts, log }: ReasonsDeps,
  userId: string,
  mostMs: number,
  known: Known,
  important: () => Promise<readonly MessageItem[]>,
): Promise<{ isLate: boolean; ms: number }> {
  const begun = performance.now()
  const late = new AbortController()
  const patience = setTimeout(() => late.abort(new Error('explaining alerts is taking too long')), mostMs)
  try {
    const asked = (await important()).map(({ alertId }) => alertId).filter((id) => !known.has(id))
    const explaining = runAs({ ...newTenancy(late.signal, userId), holdsSlot: true }, async () => {
      for (const id of asked) {
        late.signal.throwIfAborted()
        for (const [alertId, explanation] of await alerts.explain([id])) known.set(alertId, storableExplanation(explanation))
      }
    })
    await Promise.race([explaining, aborted(late.signal)])
  } catch (error) {
    log.warn({ err: error, userId }, 'could not explain an alert')
  } finally {
    clearTimeout(patience)
  }
  return { isLate: late.signal.aborted, ms: performance.now() - begun }
}
