import { oneLine } from './one-line.ts'

/** The cause of a failed delivery, and whether it may pass. */
export type Failure = {
  /** `recipient`: nothing is accepted for this address. `mail`: this email isn't accepted. `passing`: another attempt may succeed. */
  kind: 'recipient' | 'mail' | 'passing'
  /** The mail server's answer, on one line of limited length; null without one. */
  answer: string | null
}

type SmtpError = Error & { code?: unknown; command?: unknown; response?: unknown; responseCode?: unknown }

const longestAnswer = 160
const unspecific = '5.0.0'

/** A mail server's answer, readable for people. */
export function answerOf(response: string): string {
  const characters = [...oneLine(response)]
  return characters.length <= longestAnswer ? characters.join('') : `${characters.slice(0, longestAnswer - 1).join('')}…`
}

/** Interprets a nodemailer error. */
export function failureOf(error: SmtpError): Failure {
  const { code, command, response, responseCode } = error
  const answer = typeof response === 'string' ? answerOf(response) : null
  const status = typeof responseCode === 'number' ? responseCode : null
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || command === 'MAIL FROM' || (status !== null && status < 500))
    return { kind: 'passing', answer }
  if (command !== 'RCPT TO') return { kind: 'mail', answer }
  return { kind: status !== null && answer !== null && isUnknownAddress(status, answer) ? 'recipient' : 'passing', answer }
}

/**
 * Whether a 5xx to RCPT TO is about the address. Many servers wait until then to refuse the sender, its network or a missing login: the
 * operator has to fix that, and it must not stop everybody's emails. A full mailbox may be emptied.
 */
function isUnknownAddress(status: number, answer: string): boolean {
  const enhanced = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1] ?? unspecific
  // RFC 3463: the address (except 5.1.7 and 5.1.8, the sender's) or its mailbox. Exchange Online uses 5.4.1 for it, Hotmail 5.5.0.
  if (enhanced !== unspecific) return /^5\.(1\.(?![78]$)\d+|2\.[01]|4\.[14]|5\.0)$/.test(enhanced)
  return [550, 551, 553, 556].includes(status) && !/\brelay/i.test(answer)
}
