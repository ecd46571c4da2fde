import type { Lasting } from '../lib/faults.ts'

/** Where in the conversation something can go wrong, what, and the reply for it. */
export const FAULTS = {
  /** Instead of a greeting. */
  busy421: { at: 'connect', code: 421, text: '4.3.2 Service not available, try again later' },
  /** Login is refused. */
  sender550: { at: 'sender', code: 550, text: '5.7.1 Sender rejected' },
  recipient550: { at: 'recipient', code: 550, text: '5.1.1 No such user here' },
  recipient451: { at: 'recipient', code: 451, text: '4.7.1 Greylisted, try again later' },
  message554: { at: 'message', code: 554, text: '5.7.1 Message refused' },
  message451: { at: 'message', code: 451, text: '4.3.0 Could not store the message, try again later' },
  /** The connection breaks while the message is being sent. */
  reset: { at: 'data', code: 0, text: '' },
} as const

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]]
type Place = (typeof FAULTS)[FaultName]['at']

export interface Fault extends Lasting {
  readonly error: FaultName
  /** Only mail to this address; has no effect before there is a recipient. */
  readonly to?: string | undefined
}

/** Whether a fault is for this place, and for one of these recipients. */
export const at =
  (place: Place, recipients: readonly string[] = []) =>
  ({ error, to }: Fault): boolean =>
    FAULTS[error].at === place && (to === undefined || recipients.some((each) => each.toLowerCase() === to.toLowerCase()))
