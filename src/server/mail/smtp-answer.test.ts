import { describe, expect, test } from 'vitest'
import { answerOf, failureOf } from './smtp-answer.ts'

/** As nodemailer throws it for a response to one of its commands. */
const refused = (command: string, response: string, code = 'EENVELOPE') =>
  Object.assign(new Error(response), { code, command, response, responseCode: Number(response.slice(0, 3)) })
const kindOf = (error: Error) => failureOf(error).kind

describe('a refusal at RCPT TO', () => {
  test.each([
    '550 5.1.1 <ann@people.example>: Recipient address rejected: User unknown in virtual mailbox table',
    '550-5.1.1 The email account that you tried to reach does not exist.\n550 5.1.1 Please try double-checking',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '550 5.2.1 The email account that you tried to reach is disabled.',
    '550 5.4.1 Recipient address rejected: Access denied.',
    '550 5.5.0 Requested action not taken: mailbox unavailable',
    '556 5.1.10 domain does not accept mail (nullMX)',
    '501 5.1.3 Bad recipient address syntax',
    '550 5.0.0 No such user',
    '550 No such user here',
    '551 User not local',
    '553 sorry, that domain is not in my list of allowed recipients',
  ])('is about the address: %s', (response) => expect(kindOf(refused('RCPT TO', response))).toBe('recipient'))

  test.each([
    '554 5.7.1 <ann@people.example>: Relay access denied',
    '550 relay not permitted',
    '550 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using a block list',
    '554 Service unavailable; Client host blocked',
    '530 5.7.0 Must issue a STARTTLS command first',
    '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname',
    '550 5.1.8 <no-reply@ranklark.example>: Sender address rejected: Domain not found',
    '552 5.2.2 The email account that you tried to reach is over quota',
    '450 4.7.1 Greylisted, try again later',
    '421 4.7.0 Try again later',
  ])('is temporary: %s', (response) => expect(kindOf(refused('RCPT TO', response))).toBe('passing'))
})

test.each([
  ['DATA', '554 5.7.1 Message refused', 'EMESSAGE', 'mail'],
  ['DATA', '552 5.3.4 Message too big', 'EMESSAGE', 'mail'],
  ['DATA', '451 4.3.0 Could not store the message', 'EMESSAGE', 'passing'],
  ['DATA', '554 5.5.1 No valid recipients', 'EENVELOPE', 'mail'],
  ['MAIL FROM', '550 5.7.1 Sender rejected', 'EENVELOPE', 'passing'],
  ['AUTH PLAIN', '535 5.7.8 Authentication failed', 'EAUTH', 'passing'],
  ['CONN', '421 4.3.2 Service not available', 'EPROTOCOL', 'passing'],
  ['CONN', '554 5.3.2 Not accepting mail', 'EPROTOCOL', 'passing'],
])('at %s, %s', (command, response, code, kind) => {
  expect(failureOf(refused(command, response, code))).toEqual({ kind, answer: response })
})

test('without a response from the mail server, there is nothing to report', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:25'), { code: 'ESOCKET', command: 'CONN' })
  expect(failureOf(error)).toEqual({ kind: 'passing', answer: null })
})

test('its response is one line of at most 160 characters', () => {
  expect(answerOf('550-5.1.1 no\r\n550 5.1.1 \u202Esuch\0 user')).toBe('550-5.1.1 no 550 5.1.1 such user')
  expect([...answerOf('é🐦'.repeat(200))]).toHaveLength(160)
})
