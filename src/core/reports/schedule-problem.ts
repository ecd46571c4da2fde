import type { HeldPlan } from '../../contract/user.ts'
import { recipientsRefusal, whiteLabelRefusal } from '../billing/entitlements.ts'
import { noMailText } from '../delivery/no-mail.ts'

export type ScheduleState = {
  plan: HeldPlan
  /** Whether this installation can send email. */
  hasMail: boolean
  recipients: number
  /** Those who have yet to agree. */
  waiting: number
  isClient: boolean
  /** Its subject as people call it, and how many of its properties are monitored; null if it is no longer theirs. */
  title: string
  monitored: number | null
}

/** Why a schedule sends nothing, and what to do; null if it does. */
export function scheduleProblem({ plan, hasMail, recipients, waiting, isClient, title, monitored }: ScheduleState): string | null {
  if (!hasMail) return noMailText
  const refusal = (isClient ? whiteLabelRefusal(plan) : null) ?? recipientsRefusal(plan, recipients)
  if (refusal !== null) return `Paused: ${lowerFirst(refusal)}`
  if (recipients === 0) return 'Every recipient has unsubscribed. Add another one to resume.'
  if (waiting === recipients)
    return recipients === 1
      ? 'Waiting for the recipient to confirm using the link we emailed them.'
      : 'Waiting for the recipients to confirm using the links we emailed them.'
  if (monitored === null) return `${title} belongs to a Google account that isn't connected. Reconnect it to resume.`
  if (monitored > 0) return null
  return isClient
    ? `None of the properties in ${title} are monitored right now. Choose others, or monitor them again.`
    : `${title} isn't monitored right now. Monitor it again to resume.`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
